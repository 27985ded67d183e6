// Abbreviations: the short words in a corpus's names that are in no dictionary, matched with texts that they may
// abbreviate.
//
// For example "soc" matches "School Ownership Code" (initials), "alb" matches "albumin" (prefix), and "hct" matches
// "hematocrit" (letters in order).
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
  // Collects the short words in the columns' names that are in no dictionary, or rarely used.
  explicit Abbreviations(const ElementSet& elements);

  // The abbreviations whose full form `text` may contain, each once, in the order in which they are found.
  std::vector<std::string> in(std::string_view text) const;

  // `text` followed by in(text).
  std::string add_to(std::string_view text) const;

 private:
  std::unordered_map<char, std::vector<std::string>> by_first_letter_;
  std::unordered_set<std::string> all_;
};

// Whether `shorter` abbreviates `word`: it is a prefix, or a subsequence of the word's letters that includes the first
// one and omits no more than two thirds of them.
bool abbreviates(std::string_view shorter, std::string_view word);

}  // namespace trustsql::link
