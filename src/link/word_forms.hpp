// The base forms of an inflected English word: "children" -> child; "cities" -> city; "oldest" -> old; "standings" ->
// standing, stand.
//
// The rules are those of WordNet's morphological processor (morphy(7WN)): irregular forms come from a list, and rules
// for endings apply if the lexicon has the resulting word. Without a lexicon only plural endings are removed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::link {

struct WordForm {
  std::string lemma;
  float weight;  // they sum to 1
};

// The likely base forms of `word` (lower case), never empty: if none is known, the word itself.
std::vector<WordForm> word_forms(std::string_view word);

}  // namespace trustsql::link
