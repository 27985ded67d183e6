// Columns that say yes or no, which a question names like an adjective: "vegetarian dishes", "houses with a garden".

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "link/word_forms.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view flag_openings[] = {
    "is",       "be",    "has",   "have",   "was",    "can",     "are",   "does",   "need",    "require",
    "requires", "needs", "offer", "offers", "accept", "accepts", "allow", "allows", "include", "includes"};
constexpr std::string_view flag_marks[] = {"yn", "flag", "indicator", "ind"};
// What the end of a name says, and a question seldom does where it has "with" or "need": transcript_available.
constexpr std::string_view flag_closings[] = {"available", "needed",  "need",     "required", "require", "included",
                                              "include",   "allowed", "provided", "offered",  "present"};

// Verbs that carry content and say of rows what "have" does.
constexpr std::string_view having_verbs[] = {
    "get",      "gets",  "got",    "need",   "needs",   "needed", "require", "requires", "required", "include",
    "includes", "offer", "offers", "accept", "accepts", "allow",  "allows",  "receive",  "receives", "received"};

// Behind what is said of rows.
constexpr std::string_view times[] = {"yet", "already", "currently", "now", "anymore"};

}  // namespace

// Columns with two values that mean yes and no; or with 1 and 0, which also are the values of columns that no name
// flag_marks as such, but are named in a question like an adjective all the same: "cancelled flights".
void QuestionLinker::find_flags() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> answers = {
      {{"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"}}};
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
    const auto& column = domain_.column(id);
    Flag flag{{id, {}}, {id, {}}, column.words};
    const auto opens = [](const std::string& word) { return is_listed(flag_openings, word); };
    const bool opened = !flag.words.empty() && opens(flag.words.front());
    std::erase_if(flag.words, opens);
    while (flag.words.size() > 1 && is_listed(flag_marks, flag.words.back())) flag.words.pop_back();
    if (flag.words.empty() || column.is_id) continue;
    if (column.min && column.max) {
      const bool says_so = opened || column.kind == DataKind::boolean;
      if ((says_so && *column.min >= 0 && *column.max == 1) || column.is_binary) {
        flag.yes.text = "1";
        flag.no.text = "0";
        flag.only_said = !says_so;
      }
    } else if (values_.is_complete(id)) {
      const auto [first, last] = values_.cells_of(id);
      for (const auto& [yes, no] : answers) {
        bool all = last - first <= 2;
        for (auto cell = first; all && cell < last; ++cell) {
          const auto text = values_.cell(cell).text;
          const bool says_no = equals_ignore_case(text, no);
          all = says_no || equals_ignore_case(text, yes);
          if (all) (says_no ? flag.no : flag.yes).text = text;
        }
        if (!all) flag.yes.text = flag.no.text = {};
        if (!flag.yes.text.empty()) break;
      }
    }
    if (!flag.yes.text.empty()) flags_.push_back(std::move(flag));
  }
}

namespace {

// How many words from `at` on say the flag's name, also as one word, "5G", or with hyphens and articles in between: "on
// the air"; 0 if they do not.
std::size_t words_of_flag(const Question& question, std::size_t at, const std::vector<std::string>& name) {
  constexpr std::string_view between[] = {"-", "the", "a", "an"};
  const auto& words = question.words;
  const auto has_form = [](const Word& word, const std::string& form) {
    return word.lower == form || std::find(word.lemmas.begin(), word.lemmas.end(), form) != word.lemmas.end();
  };
  std::size_t same = 0;
  auto next = at;
  while (same < name.size() && next < words.size() && !words[next].quoted) {
    if (has_form(words[next], name[same]))
      ++same;
    else if (same == 0 || !is_listed(between, words[next].lower))
      break;
    ++next;
  }
  if (same == name.size()) return next - at;
  std::string joined;
  for (const auto& word : name) joined += word;
  return !words[at].quoted && words[at].lower == joined ? 1 : 0;
}

// The same for what denies it: "inactive", "uninsured", "non-vegetarian".
std::size_t words_of_denial(const Question& question, std::size_t at, const std::vector<std::string>& name) {
  constexpr std::array<std::string_view, 4> prefixes = {"in", "un", "non", "not"};
  const auto& words = question.words;
  if (words[at].quoted) return 0;
  if (words[at].lower == "non" && at + 2 < words.size() && words[at + 1].lower == "-") {
    const auto same = words_of_flag(question, at + 2, name);
    return same == 0 ? 0 : same + 2;
  }
  if (name.size() != 1) return 0;
  const auto& word = words[at].lower;
  const auto denies = [&](std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    const auto rest = word.substr(prefix.size());
    const auto forms = link::word_forms(rest);
    return rest == name.front() ||
           std::any_of(forms.begin(), forms.end(), [&name](const auto& form) { return form.lemma == name.front(); });
  };
  return std::any_of(prefixes.begin(), prefixes.end(), denies) ? 1 : 0;
}

// The place of the last word in front of `at` that is no article or the like; `at` if there is none.
std::size_t place_before(const Question& question, std::size_t at) {
  constexpr std::string_view skipped[] = {"a",         "an",      "any", "no",   "the",
                                          "currently", "already", "yet", "ever", "still"};
  auto before = at;
  while (before > 0 && is_listed(skipped, question.words[before - 1].lower)) --before;
  return before == 0 ? at : before - 1;
}

// The first word of what denies the words from `at` on: "not yet been", "without a", "aren't", "does not have a"; `at`
// if nothing does.
std::size_t denial_before(const Question& question, std::size_t at) {
  constexpr std::string_view denials[] = {"not", "never", "without", "no"};
  constexpr std::string_view passed[] = {"a",    "an",    "any",  "the",  "been",      "be",      "being",
                                         "have", "has",   "had",  "with", "currently", "already", "yet",
                                         "ever", "still", "also", "get",  "gets",      "need",    "require"};
  const auto& words = question.words;
  for (auto i = at; i > 0; --i) {
    const auto& word = words[i - 1].lower;
    if (words[i - 1].quoted) return at;
    if (is_listed(denials, word)) return i - 1;
    if (!is_listed(passed, word)) return at;
  }
  return at;
}

// Whether the word, a plural noun, is what the rows are called that the question asks for: "how many mentors", "VIPs
// from Peru".
bool is_head(const Question& question, const Linking& linking, WordSpan span, TableId owner) {
  constexpr std::string_view openings[] = {"the", "all", "many", "our", "which", "list", "show", "of", "are"};
  const auto& words = question.words;
  const auto& word = words[span.first];
  if (span.size() != 1 || word.lower == word.lemma() || !word.lower.ends_with('s')) return false;
  const bool opens = span.first == 0 || is_listed(openings, words[span.first - 1].lower);
  const bool ends = span.last == words.size() || is_function_word(words[span.last]);
  return opens && ends && linking.tables[static_cast<std::size_t>(owner)].empty();
}

// Whether the words are an adjective in front of a table's name, or behind "are", "are not", "with a", or behind the
// name of the table `owner`, if they say what is done or happens ("flights cancelled in May"); and not behind
// "whether".
bool is_said_of_rows(const Question& question, const Linking& linking, WordSpan span, TableId owner) {
  constexpr std::string_view linking_words[] = {"is",  "are",  "was",     "were", "be",  "been", "being",
                                                "not", "with", "without", "have", "has", "had",  "having"};
  constexpr std::string_view relatives[] = {"that", "which", "who"};
  const auto& words = question.words;
  for (const auto& word : words)
    if (word.lower == "whether" || word.lower == "if") return false;
  const bool before_table =
      std::any_of(linking.tables.begin(), linking.tables.end(), [&span](const std::vector<Mention>& mentions) {
        return std::any_of(mentions.begin(), mentions.end(), [&span](const Mention& mention) {
          return mention.span.first == span.last && mention.weakest >= WordMatch::abbreviation;
        });
      });
  if (before_table || is_head(question, linking, span, owner)) return true;
  const auto at = place_before(question, span.first);
  const bool ends =
      span.last == words.size() || is_function_word(words[span.last]) || is_listed(times, words[span.last].lower);
  if (!ends || at == span.first) return false;
  const auto& before = words[at].lower;
  if (at > 0 && (is_listed(linking_words, before) || is_listed(having_verbs, before))) return true;
  const auto& owners = linking.tables[static_cast<std::size_t>(owner)];
  const bool behind_table = std::any_of(owners.begin(), owners.end(), [&span](const Mention& mention) {
    return mention.span.last == span.first && mention.spelled_out();
  });
  const auto& first = words[span.first].lower;
  const bool is_done = first.ends_with("ed") || first.ends_with("en");
  return (behind_table && (is_done || span.size() > 2)) || (is_listed(relatives, before) && span.size() > 1);
}

// "Need a follow-up", "with a transcript", where the name is follow_up_needed or transcript_available: how many words
// from `at` on say the name without its end; 0 if they do not, or if nothing of the kind stands before them.
std::size_t words_of_thing(const Question& question, std::size_t at, std::vector<std::string> name) {
  constexpr std::string_view with[] = {"with", "without", "have", "has", "had", "having"};
  if (name.size() < 2 || !is_listed(flag_closings, name.back())) return 0;
  while (name.size() > 1 && is_listed(flag_closings, name.back())) name.pop_back();
  const auto before = place_before(question, at);
  const auto& verb = question.words[before].lower;
  return before < at && (is_listed(with, verb) || is_listed(having_verbs, verb)) ? words_of_flag(question, at, name)
                                                                                 : 0;
}

}  // namespace

// "Vegetarian dishes" are those with a yes in that column, if the words stand for no table and no value of dishes.
void QuestionLinker::link_flags(Question& question, Linking& linking) const {
  for (const auto& flag : flags_) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
      if (const auto size = words_of_flag(question, at, flag.words); size > 0)
        link_flag(flag, true, {at, at + size}, question, linking);
      else if (const auto thing = words_of_thing(question, at, flag.words); thing > 0)
        link_flag(flag, true, {at, at + thing}, question, linking);
      else if (const auto denied = words_of_denial(question, at, flag.words); denied > 0 && !flag.no.text.empty())
        link_flag(flag, false, {at, at + denied}, question, linking);
    }
  }
  std::sort(linking.values.begin(), linking.values.end(),
            [](const ValueMention& a, const ValueMention& b) { return a.span.first < b.span.first; });
}

void QuestionLinker::link_flag(const Flag& flag, bool yes, WordSpan span, Question& question, Linking& linking) const {
  const auto contains = [&span](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return mention.whole() && mention.weakest == WordMatch::form && mention.span.overlaps(span);
    });
  };
  if (std::any_of(linking.tables.begin(), linking.tables.end(), contains)) return;
  const bool is_condition = is_said_of_rows(question, linking, span, domain_.column(flag.yes.column).table);
  if (flag.only_said && !is_condition) return;
  auto cell = yes ? flag.yes : flag.no;
  const auto same = std::find_if(linking.values.begin(), linking.values.end(),
                                 [&span](const ValueMention& value) { return value.span.overlaps(span); });
  if (same != linking.values.end()) {
    // What customers are, and not what "active" means of their subscriptions.
    const auto table = domain_.column(cell.column).table;
    const auto& mentions = linking.tables[static_cast<std::size_t>(table)];
    const bool of_rows = std::any_of(mentions.begin(), mentions.end(), [&span](const Mention& mention) {
      return mention.span.first == span.last && mention.spelled_out();
    });
    const bool is_value = std::any_of(same->cells.begin(), same->cells.end(), [&](const ValueIndex::Cell& other) {
      return domain_.column(other.column).table == table;
    });
    if (same->span == span && same->is_derived) {
      same->cells.push_back(cell);
    } else if (same->span == span && is_condition && of_rows && !is_value && !same->quoted && !same->capitalised) {
      same->cells = {cell};
      same->is_derived = same->is_flag = true;
      same->is_name = false;
    }
    return;
  }
  auto& mentions = linking.columns[static_cast<std::size_t>(cell.column)];
  if (const auto denial = denial_before(question, span.first);
      is_condition && yes && !flag.no.text.empty() && denial < span.first) {
    cell = flag.no;
    span.first = denial;
    for (auto i = span.first; i < span.last; ++i) question.words[i].quoted = true;  // no cues
  }
  // "Need an anaesthetic", "not neutered yet": these words have no other part in the question.
  if (const auto before = place_before(question, span.first);
      is_condition && before < span.first && is_listed(having_verbs, question.words[before].lower))
    span.first = before;
  if (is_condition && span.last < question.words.size() && is_listed(times, question.words[span.last].lower))
    ++span.last;
  if (is_condition) std::erase_if(mentions, [&span](const Mention& mention) { return mention.span.overlaps(span); });
  linking.values.push_back({.span = span,
                            .text = std::string(question.text_of(span)),
                            .is_name = contains(mentions),
                            .is_derived = true,
                            .cells = {cell},
                            .is_flag = is_condition});
}

}  // namespace trustsql::semparse
