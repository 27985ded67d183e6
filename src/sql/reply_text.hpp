// The parts of a language model's reply that may contain SQL: words and fenced blocks.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trustsql {

// The position of the first `word` (ignoring ASCII case) from `from` on that is a whole word, not part of a longer one;
// npos if there is none. It searches the plain text, not SQL tokens: prose has apostrophes, which would begin strings.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

// ```label
// content
// ```
struct FencedBlock {
  std::string_view content;  // trimmed
  std::size_t begin = 0;     // the position of the opening fence in the text
  std::size_t end = 0;       // after the closing fence, or the end of the text if there is none
  bool closed = false;
};

// The first fenced block that opens at or after `from`. The label, which is not part of the content, is the rest of the
// opening line if the content is below it, or else a leading "sql" or "sqlite".
std::optional<FencedBlock> find_fenced_block(std::string_view text, std::size_t from = 0);

}  // namespace trustsql
