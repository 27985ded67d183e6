#include "semparse/question/word_match.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

namespace lexicon = link::lexicon;

// Senses below this probability are not what people mean in a question about data.
constexpr float min_probability = 0.15F;
constexpr std::size_t max_senses = 3;
constexpr std::size_t min_prefix = 4;

bool is_prefix(std::string_view a, std::string_view b) {
  return a.size() >= min_prefix && b.size() > a.size() && b.starts_with(a);
}

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

// Whether `name` is `word` without some of its vowels, and perhaps without its end: "prc" for "price", "cntry". Words
// of English are not.
bool is_contraction(std::string_view name, std::string_view word) {
  constexpr std::size_t min_size = 3;
  if (name.size() < min_size || word.size() <= name.size() || name.front() != word.front() || lexicon::is_empty() ||
      lexicon::find(name))
    return false;
  std::size_t at = 0;
  bool left_out = false;
  for (const char c : word) {
    if (at == name.size()) break;
    if (c == name[at]) {
      ++at;
    } else if (is_vowel(c)) {
      left_out = true;
    } else {
      return false;
    }
  }
  return at == name.size() && left_out;
}

// Whether `name` is the first letter and some consonants of `word`, up to the last: "mbr" for "member", "bkg", "agt".
// Words of English are not.
bool is_skeleton_of_word(std::string_view name, std::string_view word) {
  constexpr std::size_t min_size = 3;
  if (name.size() < min_size || word.size() <= name.size() || name.front() != word.front() ||
      name.back() != word.back() || std::any_of(name.begin() + 1, name.end(), is_vowel) || lexicon::is_empty() ||
      lexicon::find(name))
    return false;
  std::size_t at = 0;
  for (const char c : word)
    if (at < name.size() && c == name[at]) ++at;
  return at == name.size();
}

// Whether `name` is the first three letters of `word`: "alc" for "alcohol". Words of English that people use are not.
bool is_short_start(std::string_view name, std::string_view word) {
  constexpr std::size_t size = 3;
  constexpr std::size_t least_word = 5;
  constexpr float rare = 1.5F;  // binary logarithm of the frequency
  if (name.size() != size || word.size() < least_word || !word.starts_with(name) || lexicon::is_empty() ||
      link::is_schema_word(name))
    return false;
  const auto known = lexicon::find(name);
  return !known || lexicon::log_frequency(*known) < rare;
}

// Whether the longer word is the shorter one with another word behind it: a goalkeeper is no goal.
bool is_compound(std::string_view a, std::string_view b) {
  constexpr std::size_t min_size = 4;
  const auto shorter = a.size() < b.size() ? a : b;
  auto rest = (a.size() < b.size() ? b : a).substr(shorter.size());
  if (rest.size() < min_size || lexicon::is_empty() || !lexicon::find(shorter)) return false;
  if (lexicon::find(rest)) return true;
  return rest.ends_with('s') && rest.size() > min_size && lexicon::find(rest.substr(0, rest.size() - 1));
}

// Whether the noun says what the participle does: "delivered" and "delivery", "arrived" and "arrival".
bool is_noun_of(std::string_view participle, std::string_view noun) {
  constexpr std::string_view endings[] = {"y", "al", "ion", "ation", "ment", "ure", "ance", "ence"};
  constexpr std::size_t min_stem = 4;
  if (!participle.ends_with("ed")) return false;
  const auto stem = participle.substr(0, participle.size() - 2);
  return stem.size() >= min_stem && noun.starts_with(stem) && is_listed(endings, noun.substr(stem.size()));
}

// Whether the noun names who does what the verb says, or the doing, by their base forms: "direct" and "director",
// "command" and "commander", "rate" and "rating".
bool is_doer_or_doing(std::string_view verb, std::string_view noun) {
  constexpr std::string_view endings[] = {"er", "or", "ing"};
  constexpr std::size_t min_stem = 4;
  const auto stem = verb.ends_with('e') ? verb.substr(0, verb.size() - 1) : verb;
  if (verb.size() < min_stem || !noun.starts_with(stem)) return false;
  auto ending = noun.substr(stem.size());
  if (!ending.empty() && ending.front() == stem.back() && stem.back() != 'e') ending.remove_prefix(1);  // "winner"
  return is_listed(endings, ending);
}

// The same for verbs whose nouns follow no rule, by their base forms.
bool is_irregular_noun_of(std::string_view verb, std::string_view noun) {
  constexpr std::pair<std::string_view, std::string_view> nouns[] = {
      {"bear", "birth"}, {"die", "death"}, {"sell", "sale"}, {"pay", "payment"}, {"fly", "flight"}};
  return std::find(std::begin(nouns), std::end(nouns), std::pair(verb, noun)) != std::end(nouns);
}

// Names that exclude each other, though the synonyms of schemas and the lexicon say otherwise: each line has the words
// for one thing, and no thing of a list is another one of it.
constexpr std::string_view place_names[] = {"country nation nationality citizenship",
                                            "city town village municipality",
                                            "state province",
                                            "region",
                                            "county",
                                            "district",
                                            "continent",
                                            "street road avenue",
                                            "address",
                                            "zip postcode zipcode zip_code postal_code"};
constexpr std::string_view age_names[] = {"age", "year date birth born birthday birthdate season month"};

// The line of the list that has the word; -1 if none has.
template <class List>
std::ptrdiff_t line_of(const List& list, std::string_view word) {
  const auto has = [word](std::string_view line) {
    for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
      const auto end = at + word.size();
      if ((at == 0 || line[at - 1] == ' ') && (end == line.size() || line[end] == ' ')) return true;
    }
    return false;
  };
  const auto found = std::find_if(std::begin(list), std::end(list), has);
  return found == std::end(list) ? -1 : found - std::begin(list);
}

bool exclude_each_other(std::string_view a, std::string_view b) {
  const auto differ = [&](const auto& list) {
    const auto line = line_of(list, a);
    if (line < 0) return false;
    const auto other = line_of(list, b);
    return other >= 0 && other != line;
  };
  return differ(place_names) || differ(age_names);
}

// Words that may stand for any amount or kind. What the lexicon says of them fits nearly every column.
bool is_vague(std::string_view word) {
  constexpr std::string_view vague[] = {"value", "quantity", "amount", "number",  "figure", "measure", "category",
                                        "kind",  "type",     "class",  "rank",    "level",  "model",   "status",
                                        "item",  "thing",    "group",  "element", "unit",   "currency"};
  return is_listed(vague, word);
}

}  // namespace

float strength(WordMatch match) {
  switch (match) {
    case WordMatch::none: return 0;
    case WordMatch::related: return 0.3F;
    case WordMatch::dimension: return 0.5F;
    case WordMatch::synonym: return 0.6F;
    case WordMatch::abbreviation: return 0.7F;
    case WordMatch::form: return 1;
  }
  return 0;
}

const WordMatcher::Meanings& WordMatcher::meanings(const std::string& lemma) {
  const auto [entry, is_new] = known_.try_emplace(lemma);
  auto& list = entry->second;
  if (!is_new) return list;
  const auto word = lexicon::find(lemma);
  if (!word) return list;
  const auto count = std::min(lexicon::sense_count(*word), max_senses);
  for (std::size_t i = 0; i < count; ++i) {
    const auto sense = lexicon::sense(*word, i);
    if (i > 0 && sense.probability < min_probability) break;
    list.push_back({sense.meaning, true, false, false});
    for (std::size_t r = 0; r < lexicon::related_count(sense.meaning); ++r) {
      const auto related = lexicon::related(sense.meaning, r);
      list.push_back({related.meaning, related.relation == link::Relation::derived,
                      related.relation == link::Relation::attribute, related.relation == link::Relation::broader});
    }
  }
  std::sort(list.begin(), list.end(), [](const Meaning& a, const Meaning& b) { return a.id < b.id; });
  return list;
}

WordMatch WordMatcher::match_meanings(const std::string& a, const std::string& b) {
  if (exclude_each_other(a, b)) return WordMatch::none;
  const auto groups_a = link::schema_groups(a);
  for (const auto group : link::schema_groups(b))
    if (std::find(groups_a.begin(), groups_a.end(), group) != groups_a.end()) return WordMatch::synonym;
  if (is_vague(a)) return WordMatch::none;
  const Meanings of_a = meanings(a);  // a copy: the next call may move the first result
  const Meanings& of_b = meanings(b);
  auto best = WordMatch::none;
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    if (of_a[i].id < of_b[j].id) {
      ++i;
      continue;
    }
    if (of_a[i].id > of_b[j].id) {
      ++j;
      continue;
    }
    const auto id = of_a[i].id;
    const auto first_j = j;
    for (; i < of_a.size() && of_a[i].id == id; ++i) {
      for (j = first_j; j < of_b.size() && of_b[j].id == id; ++j) {
        const auto& x = of_a[i];
        const auto& y = of_b[j];
        const auto how = x.dimension || y.dimension                           ? WordMatch::dimension
                         : x.direct && y.direct                               ? WordMatch::synonym
                         : (x.direct && y.broader) || (x.broader && y.direct) ? WordMatch::related
                                                                              : WordMatch::none;
        best = std::max(best, how);
      }
    }
  }
  return best;
}

bool WordMatcher::is_narrower(const Word& word, const std::string& name_word) {
  return std::any_of(word.lemmas.begin(), word.lemmas.end(), [&](const std::string& lemma) {
    const Meanings of_word = meanings(lemma);  // a copy: the next call may move it
    const Meanings& of_name = meanings(name_word);
    return std::any_of(of_word.begin(), of_word.end(), [&of_name](const Meaning& x) {
      return x.broader &&
             std::any_of(of_name.begin(), of_name.end(), [&x](const Meaning& y) { return y.id == x.id && y.direct; });
    });
  });
}

WordMatch WordMatcher::match(const Word& word, const std::string& name_word) {
  if (word.lower == name_word) return WordMatch::form;
  for (const auto& lemma : word.lemmas)
    if (lemma == name_word) return WordMatch::form;
  if (word.lower.size() < 2 || name_word.size() < 2) return WordMatch::none;
  if (is_contraction(name_word, word.lemma()) || is_short_start(name_word, word.lemma()) ||
      std::any_of(word.lemmas.begin(), word.lemmas.end(),
                  [&name_word](const std::string& lemma) { return is_skeleton_of_word(name_word, lemma); }))
    return WordMatch::abbreviation;
  if (is_noun_of(word.lower, name_word) || is_noun_of(name_word, word.lemma())) return WordMatch::form;
  const bool is_verb = word.lower.ends_with("ed") || word.lower.ends_with("en");
  for (const auto& lemma : word.lemmas) {
    if (is_irregular_noun_of(lemma, name_word) || is_irregular_noun_of(name_word, lemma)) return WordMatch::form;
    if (is_verb && lemma != word.lower && is_doer_or_doing(lemma, name_word)) return WordMatch::form;
  }
  if (const auto unit = unit_of(word.lower); !unit.empty() && unit == unit_of(name_word)) return WordMatch::form;
  const bool begins = is_prefix(word.lower, name_word) || is_prefix(name_word, word.lower);
  if (begins && !is_compound(word.lower, name_word)) return WordMatch::abbreviation;
  auto best = WordMatch::none;
  if (const auto* gradable = gradable_of(word)) {
    if (measures(*gradable, name_word)) return WordMatch::dimension;
    if (gradable->only) return WordMatch::none;
  }
  for (const auto& lemma : word.lemmas) best = std::max(best, match_meanings(lemma, name_word));
  return best;
}

bool is_form_of_verb(std::string_view word, std::string_view verb) {
  constexpr std::size_t shortest_stem = 3;
  constexpr std::size_t longest_ending = 3;
  const auto stem = verb.ends_with('e') ? verb.substr(0, verb.size() - 1) : verb;
  return stem.size() >= shortest_stem && word.starts_with(stem) && word.size() <= stem.size() + longest_ending;
}

}  // namespace trustsql::semparse
