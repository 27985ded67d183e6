// Near values: the stored values that a text may have meant when none is just that text.
//
//   'Smith'   'John Smith' holds the words; 'Smithsonian' begins with them
//   'Frnace'  'France' is spelt similarly, and so is a word of 'Tour de France'
//
// The parser reads no question by them: a near value is a guess, for messages and suggestions only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "semparse/database/value_index.hpp"

namespace trustsql::semparse {

// How a value was found, the best way first.
enum class Nearness : std::uint8_t {
  part,           // the words of the text are a run of its words
  spelling,       // all its words, one of them spelt otherwise
  beginning,      // the same as `part`, with the last word of the text as the beginning of a word
  part_spelling,  // the same as `part`, with one word spelt otherwise
};

struct NearValue {
  ValueIndex::Cell cell{};
  Nearness how = Nearness::part;
  std::size_t edits = 0;  // of the word that is spelt otherwise (spelling.hpp)
};

struct NearOptions {
  std::optional<ColumnId> column{};  // none: all
  std::size_t max_values = 8;
};

// The values near `text`, the best first: by how they were found, by the number of edits, the shorter ones first; each
// value of a column once. A value with just the words of the text is none of them (ValueIndex::find()). A text of more
// than eight words, or of numbers, single letters and function words alone, has none. Beginnings have at least four
// letters. Each way of finding looks at 500 values that hold a word at most, so that the values found may not be all
// there are. Time: some tenths of a millisecond among 50,000 values (docs/results.md).
std::vector<NearValue> find_near(const ValueIndex& values, std::string_view text, const NearOptions& options = {});

}  // namespace trustsql::semparse
