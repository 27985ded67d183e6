// Abbreviations: the short words in a corpus's names that no dictionary has, found again in what they may stand for.
//
// "soc" in "School Ownership Code" (initials), "alb" in "albumin" (its beginning), "hct" in "hematocrit" (letters in
// order).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "link/element.hpp"

namespace trustsql::link {

class Abbreviations {
 public:
  // The short words in the columns' names that are in no dictionary, or hardly used.
  explicit Abbreviations(const ElementSet& elements);

  // Those of them that `text` may have in full, each once, in the order in which they are found.
  std::vector<std::string> in(std::string_view text) const;

  // `text` with in(text) at its end.
  std::string add_to(std::string_view text) const;

 private:
  std::unordered_map<char, std::vector<std::string>> by_first_letter_;
  std::unordered_set<std::string> all_;
};

// Whether `shorter` abbreviates `word`: its beginning, or letters of it in their order that begin with its first one
// and leave out no more than two thirds of it.
bool abbreviates(std::string_view shorter, std::string_view word);

}  // namespace trustsql::link
