// Edits: a question with other words in the place of some of its own.
#pragma once

#include <string>
#include <vector>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

struct Edit {
  WordSpan span{};     // the words that are replaced; not empty
  std::string text{};  // by what; if it is empty, the blanks beside the words go as well
};

// The edits in the order of their words, without those that overlap earlier ones.
std::vector<Edit> in_order(std::vector<Edit> edits);

// Precondition: the edits are in order and do not overlap.
std::string edited(const Question& question, const std::vector<Edit>& edits);

}  // namespace trustsql::semparse
