#include "semparse/words/superiors.hpp"

#include <algorithm>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view superior_nouns[] = {"manager", "supervisor", "boss", "superior"};
constexpr std::string_view superior_verbs[] = {"manage", "supervise", "oversee"};

}  // namespace

bool is_superior_role(std::string_view word) { return word == "report" || is_listed(superior_nouns, word); }

bool names_superior(const Word& word) { return is_listed(superior_nouns, word.lemma()); }

bool says_superior(const Word& word) {
  return std::any_of(word.lemmas.begin(), word.lemmas.end(),
                     [](const std::string& lemma) { return is_listed(superior_verbs, lemma); });
}

bool names_subordinate(const Word& word) { return word.lemma() == "subordinate"; }

}  // namespace trustsql::semparse
