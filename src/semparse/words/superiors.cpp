#include "semparse/words/superiors.hpp"

#include <algorithm>
#include <iterator>

namespace trustsql::semparse {

namespace {

constexpr std::string_view superior_nouns[] = {"manager", "supervisor", "boss", "superior"};
constexpr std::string_view superior_verbs[] = {"manage", "supervise", "oversee"};

template <class List>
bool has_superior_word(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace

bool is_superior_role(std::string_view word) { return word == "report" || has_superior_word(superior_nouns, word); }

bool names_superior(const Word& word) { return has_superior_word(superior_nouns, word.lemma()); }

bool says_superior(const Word& word) {
  return std::any_of(word.lemmas.begin(), word.lemmas.end(),
                     [](const std::string& lemma) { return has_superior_word(superior_verbs, lemma); });
}

bool names_subordinate(const Word& word) { return word.lemma() == "subordinate"; }

}  // namespace trustsql::semparse
