#include "semparse/question/linking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "semparse/question/column_comparisons.hpp"
#include "semparse/question/missing_values.hpp"
#include "semparse/question/row_comparisons.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_mentions = 3;
// Between two things that are listed, and so between two names.
constexpr std::string_view item_separators[] = {"+", "&", "/", ";"};
constexpr std::string_view conjunctions[] = {"and", "or", ","};
constexpr std::size_t max_gap = 2;  // function words between two words of a name: "name of the country"

// Words that so many names have that they say little.
constexpr std::array<std::string_view, 8> generic_words = {"id",   "name",   "number", "code",
                                                           "type", "detail", "text",   "value"};

float weight_of(std::string_view word) {
  return std::find(generic_words.begin(), generic_words.end(), word) != generic_words.end() ? 0.6F : 1.0F;
}

// "no" is short for "number" only in front of one: "no. 5".
bool is_plain_no(const Question& question, std::size_t at) {
  if (question.words[at].lower != "no") return false;
  const auto next = at + 1 < question.words.size() && question.words[at + 1].text == "." ? at + 2 : at + 1;
  return next >= question.words.size() || !question.words[next].number;
}

// Whether both are words of English: "mountaineer" is not a form of "mountain".
bool is_other_word(const Word& word, const std::string& name_word) {
  return link::lexicon::find(name_word) && link::lexicon::find(word.lemma());
}

}  // namespace

Value number_value(double number) {
  if (std::floor(number) == number && std::fabs(number) < 9e15) return static_cast<std::int64_t>(number);
  return number;
}

int naming(const Mention* mention) {
  if (mention == nullptr) return 0;
  if (mention->whole()) return mention->weakest == WordMatch::form ? 4 : 3;
  return mention->coverage > 0.5F ? 2 : 1;
}

QuestionLinker::QuestionLinker(const Domain& domain, const ValueIndex& values) : domain_(domain), values_(values) {
  const auto ids = [this](const std::vector<std::string>& words) {
    std::vector<std::size_t> numbers;
    for (const auto& word : words) {
      const auto [entry, is_new] = word_ids_.try_emplace(word, vocabulary_.size());
      if (is_new) vocabulary_.push_back(word);
      numbers.push_back(entry->second);
    }
    return numbers;
  };
  std::map<std::vector<std::size_t>, std::size_t> numbers;
  const auto name_of = [&](const std::vector<std::string>& words) {
    auto name = ids(words);
    const auto [entry, is_new] = numbers.try_emplace(name, names_.size());
    if (is_new) names_.push_back(std::move(name));
    return entry->second;
  };
  for (const auto& column : domain.columns()) column_names_.push_back(name_of(column.words));
  for (const auto& table : domain.tables()) table_names_.push_back(name_of(table.words));
  find_flags();
}

// "Policyholders", where the name was taken apart into policy and holder, "runtime" for runtime_minutes: the parts of
// the name that the word runs together, of those that are not used; an empty span if it does not.
WordSpan QuestionLinker::parts_run_together(const Word& word, const std::vector<std::size_t>& name,
                                            const std::vector<bool>& used) const {
  constexpr std::size_t least_size = 6;
  if (name.size() < 2 || word.lower.size() < least_size || word.quoted) return {};
  for (std::size_t first = 0; first + 1 < name.size(); ++first) {
    std::string parts;
    for (auto last = first; last < name.size() && !used[last] && parts.size() < word.lower.size(); ++last) {
      parts += vocabulary_[name[last]];
      if (last > first && (word.lower == parts || word.lower == parts + "s" || is_listed(word.lemmas, parts)))
        return {first, last + 1};
    }
  }
  return {};
}

// A mention is a run of words that match words of the name, each of which counts once, with few function words between.
std::vector<Mention> QuestionLinker::mentions_of(const Question& question, const std::vector<std::size_t>& name) const {
  std::vector<Mention> mentions;
  if (name.empty()) return mentions;
  // A unit behind other words counts only where the question has it.
  const auto is_left_out = [&](std::size_t j) { return j > 0 && is_unit_of_name(vocabulary_[name[j]]); };
  float total = 0;
  for (std::size_t j = 0; j < name.size(); ++j)
    if (!is_left_out(j)) total += weight_of(vocabulary_[name[j]]);
  const auto n = question.words.size();
  const auto best_part = [&](std::size_t at, const std::vector<bool>& used) {
    std::size_t best = name.size();
    for (std::size_t j = 0; j < name.size(); ++j)
      if (!used[j] && matches_[name[j]][at] != WordMatch::none &&
          (best == name.size() || matches_[name[j]][at] > matches_[name[best]][at]))
        best = j;
    return best;
  };
  // "List price": a word that stands for nothing else is part of a name right before another part of it.
  const auto function_part = [&](std::size_t at, const std::vector<bool>& used) {
    const auto j = static_cast<std::size_t>(
        std::find_if(name.begin(), name.end(),
                     [&](std::size_t part) { return vocabulary_[part] == question.words[at].lower; }) -
        name.begin());
    if (j == name.size() || used[j] || at + 1 == n || question.words[at].quoted) return name.size();
    const auto next = best_part(at + 1, used);
    return next != name.size() && matches_[name[next]][at + 1] == WordMatch::form ? j : name.size();
  };
  // What the words from `begin` on have of the name.
  const auto mention_at = [&](std::size_t begin) {
    std::vector<bool> used(name.size(), false);
    Mention mention{{begin, begin}};
    bool spelled = true;
    float covered = 0;
    std::size_t gap = 0;
    std::size_t behind = 0;  // of parts that "and" joins: "id and customer" is no customer_id
    for (std::size_t at = begin; at < n; ++at) {
      if (const auto run = parts_run_together(question.words[at], name, used); run.size() > 0) {
        for (auto j = run.first; j < run.last; ++j) {
          used[j] = true;
          covered += weight_of(vocabulary_[name[j]]);
          ++mention.matched;
        }
        gap = 0;
        mention.span.last = at + 1;
        continue;
      }
      auto part = best_part(at, used);
      const bool is_function = part == name.size() && is_function_word(question.words[at]);
      if (is_function) part = function_part(at, used);
      if (part == name.size()) {
        if (mention.matched == 0 || ++gap > max_gap || !is_function_word(question.words[at]) ||
            is_listed(item_separators, question.words[at].lower))
          break;
        if (is_listed(conjunctions, question.words[at].lower))
          behind = static_cast<std::size_t>(std::find(used.rbegin(), used.rend(), true).base() - used.begin());
        continue;
      }
      // "The runtime of the longest film" names a runtime, and says which film.
      const bool by_meaning = !is_function && matches_[name[part]][at] <= WordMatch::dimension;
      if (part < behind || (by_meaning && gap > 0)) break;
      used[part] = true;
      gap = 0;
      const auto how = is_function ? WordMatch::form : matches_[name[part]][at];
      spelled &= how == WordMatch::form || !is_other_word(question.words[at], vocabulary_[name[part]]);
      covered += weight_of(vocabulary_[name[part]]) * strength(how);
      mention.weakest = std::min(mention.weakest, how);
      mention.span.last = at + 1;
      ++mention.matched;
    }
    float units = 0;
    for (std::size_t j = 0; j < name.size(); ++j)
      if (used[j] && is_left_out(j)) units += weight_of(vocabulary_[name[j]]);
    mention.coverage = covered / (total + units);
    mention.complete = spelled;
    for (std::size_t j = 0; j < name.size(); ++j) mention.complete &= used[j] || is_left_out(j);
    return mention;
  };
  for (std::size_t begin = 0; begin < n;) {
    auto mention = mention_at(begin);
    if (mention.matched == 0) {
      ++begin;
      continue;
    }
    // "First name and last name" has a last name, and not a "name and last".
    for (auto later = begin + 1; later < mention.span.last; ++later)
      if (const auto other = mention_at(later);
          other.coverage >= mention.coverage && other.span.size() < mention.span.size())
        mention = other;
    begin = mention.span.last;
    mentions.push_back(mention);
  }
  std::stable_sort(mentions.begin(), mentions.end(),
                   [](const Mention& a, const Mention& b) { return a.coverage > b.coverage; });
  if (mentions.size() > max_mentions) mentions.resize(max_mentions);
  return mentions;
}

// Words that are a whole name mean that name: "class" is no "sex" where a table is called class, and "member" no
// membership.
void QuestionLinker::drop_overruled(std::vector<std::vector<Mention>>& mentions) {
  std::vector<WordSpan> names;
  for (const auto& list : mentions)
    for (const auto& mention : list)
      if (mention.whole() && mention.weakest == WordMatch::form) names.push_back(mention.span);
  for (auto& list : mentions)
    std::erase_if(list, [&names](const Mention& mention) {
      const bool by_meaning = mention.weakest == WordMatch::related || mention.weakest == WordMatch::synonym ||
                              mention.weakest == WordMatch::abbreviation;
      return by_meaning && mention.matched == 1 &&
             std::any_of(names.begin(), names.end(), [&](WordSpan name) { return name.contains(mention.span); });
    });
}

// "Guests" where a table is called guests names neither num_guests nor max_guests, but behind "how many" and "number
// of" it may.
void QuestionLinker::drop_counts_of_rows(const Question& question, Linking& linking) const {
  constexpr std::string_view amounts[] = {"number", "maximum", "minimum", "total"};
  const auto names_table = [&linking](WordSpan span) {
    return std::any_of(linking.tables.begin(), linking.tables.end(), [span](const std::vector<Mention>& mentions) {
      return std::any_of(mentions.begin(), mentions.end(), [span](const Mention& mention) {
        return mention.span == span && mention.whole() && mention.weakest == WordMatch::form;
      });
    });
  };
  for (std::size_t id = 0; id < linking.columns.size(); ++id) {
    const auto& words = domain_.columns()[id].words;
    if (words.size() < 2 || (!is_listed(amounts, words.front()) && words.back() != "count")) continue;
    std::erase_if(linking.columns[id], [&](const Mention& mention) {
      const auto first = mention.span.first;
      const bool asks_how_many =
          first > 0 && (question.words[first - 1].lower == "many" || question.words[first - 1].lower == "of");
      return static_cast<std::size_t>(mention.matched) + 1 == words.size() && !asks_how_many &&
             names_table(mention.span);
    });
  }
}

// What stands between quotation marks is a value, or two: "Jeremy Gibbons" is a first and a last name where no column
// holds both. A letter after "letter", or after "start with", needs no marks.
void QuestionLinker::find_quotations(const Question& question, Linking& linking) const {
  const auto& words = question.words;
  for (const auto& quotation : question.quotations) {
    if (quotation.words.size() == 0) continue;
    auto cells = values_.find(quotation.text);
    bool is_split = false;
    for (auto middle = quotation.words.first + 1; cells.empty() && !is_split && middle < quotation.words.last;
         ++middle) {
      const WordSpan left{quotation.words.first, middle};
      const WordSpan right{middle, quotation.words.last};
      auto left_cells = values_.find(question.text_of(left));
      auto right_cells = values_.find(question.text_of(right));
      if (left_cells.empty() || right_cells.empty()) continue;
      is_split = true;
      linking.values.push_back(
          {left, std::string(question.text_of(left)), true, true, false, false, std::move(left_cells)});
      linking.values.push_back(
          {right, std::string(question.text_of(right)), true, true, false, false, std::move(right_cells)});
    }
    if (!is_split)
      linking.values.push_back({quotation.words, quotation.text, true, true, false, false, std::move(cells)});
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& word = words[i];
    const bool letter = word.text.size() == 1 && ((word.lower[0] >= 'a' && word.lower[0] <= 'z'));
    if (!letter || word.quoted) continue;
    const auto& before = words[i - 1];
    const bool starts =
        i >= 2 && before.lower == "with" && word.capitalised &&
        (words[i - 2].lemma() == "start" || words[i - 2].lemma() == "begin" || words[i - 2].lemma() == "end");
    if (before.lemma() == "letter" || starts)
      linking.values.push_back({{i, i + 1}, word.text, true, true, false, false, {}});
  }
}

// "The date of each match", where the column is called played_on.
void QuestionLinker::link_only_dates(const Question& question, Linking& linking) const {
  std::vector<Mention> dates;
  for (std::size_t i = 0; i < question.words.size() && dates.size() < max_mentions; ++i)
    if (!question.words[i].quoted && question.words[i].lemma() == "date")
      dates.push_back({{i, i + 1}, 1.0F, 1, WordMatch::synonym});
  if (dates.empty()) return;
  for (std::size_t id = 0; id < linking.columns.size(); ++id)
    if (linking.columns[id].empty() && domain_.columns()[id].is_only_date) linking.columns[id] = dates;
}

Linking QuestionLinker::link(Question& question) {
  matches_.assign(vocabulary_.size(), MatchRow(question.words.size(), WordMatch::none));
  if (known_matches_.size() > max_question_words) known_matches_.clear();
  for (std::size_t at = 0; at < question.words.size(); ++at) {
    const auto& word = question.words[at];
    if (is_function_word(word) || word.quoted || is_plain_no(question, at)) continue;
    auto& known = known_matches_[word.lower];  // other wordings of the question have the same words
    if (known.empty())
      for (const auto& name : vocabulary_) known.push_back(matcher_.match(word, name));
    for (std::size_t v = 0; v < vocabulary_.size(); ++v) matches_[v][at] = known[v];
  }
  std::vector<std::vector<Mention>> mentions;
  for (const auto& name : names_) mentions.push_back(mentions_of(question, name));
  drop_overruled(mentions);
  Linking linking;
  for (const auto name : column_names_) linking.columns.push_back(mentions[name]);
  link_only_dates(question, linking);
  for (const auto name : table_names_) linking.tables.push_back(mentions[name]);
  drop_counts_of_rows(question, linking);
  find_values(question, linking);
  link_flags(question, linking);
  find_numbers(question, linking);
  link_column_comparisons(domain_, question, linking);
  link_row_comparisons(domain_, question, linking);
  link_missing(domain_, question, linking);
  return linking;
}

bool names_surely(const Mention& mention, const DomainColumn& column) {
  constexpr float least_coverage = 0.45F;
  if (mention.coverage < least_coverage) return false;
  return mention.weakest >= WordMatch::abbreviation ||
         (column.kind == DataKind::date && mention.whole() && mention.weakest == WordMatch::synonym);
}

std::size_t end_of_name(const Mention& mention, const DomainColumn& column, const Question& question) {
  const auto last = mention.span.last;
  const bool says_date = last < question.words.size() && !question.words[last].quoted &&
                         question.words[last].lemma() == "date" && column.kind == DataKind::date;
  return says_date ? last + 1 : last;
}

void add_column_test(ValueMention mention, Question& question, Linking& linking) {
  const auto overlaps = [&mention](const auto& other) { return other.span.overlaps(mention.span); };
  for (auto& mentions : linking.columns) std::erase_if(mentions, overlaps);
  for (auto& mentions : linking.tables) std::erase_if(mentions, overlaps);
  std::erase_if(linking.values, overlaps);
  for (auto i = mention.span.first; i < mention.span.last; ++i) question.words[i].quoted = true;
  linking.values.insert(
      std::upper_bound(linking.values.begin(), linking.values.end(), mention,
                       [](const ValueMention& a, const ValueMention& b) { return a.span.first < b.span.first; }),
      std::move(mention));
}

}  // namespace trustsql::semparse
