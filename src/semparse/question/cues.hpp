// Cues: words that ask for an operator of SQL, whatever the database: "average", "how many", "the oldest", "not".
//
// A dozen of them are nearly safe by themselves (measured on questions of 140 databases; the others are decided by what
// stands beside them). A reading that has no operator for a cue, or an operator for which there is no cue, is suspect:
// the evidence of a candidate counts both (evidence.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

enum class Cue : std::uint8_t {
  average,      // "average", "mean"
  sum,          // "total", "sum"
  count,        // "how many", "number of", "count"
  maximum,      // "maximum"
  minimum,      // "minimum"
  highest,      // a superlative: "oldest", "most", "largest"
  lowest,       // "youngest", "least", "fewest"
  order,        // "sorted", "alphabetical", "ascending"
  descending,   // "descending", "from high to low"
  each,         // "each", "per", "every"
  distinct,     // "different", "distinct"
  negation,     // "not", "without", "except"
  both,         // "both"
  either,       // "or", "either"
  more,         // "more than", "older than", "over", "after", "at least"
  less,         // "fewer than", "under", "before", "at most"
  between,      // "between"
  pattern,      // "contain", "start with", "substring"
  top,          // "top 3", "first five"
  same,         // "the same"
  than_average  // "above the average", "than any", "than all"
};
inline constexpr std::size_t cue_kinds = static_cast<std::size_t>(Cue::than_average) + 1;

struct CueMention {
  Cue cue{};
  WordSpan span{};
};

// In the order of the question. A word may be a cue of several kinds; quoted words are none.
std::vector<CueMention> find_cues(const Question& question);

}  // namespace trustsql::semparse
