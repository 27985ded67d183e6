// What a language model's reply is made of, as far as SQL may be in it: words and fenced blocks.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trustsql {

// The place of the first `word` (ASCII case ignored) from `from` on that stands alone, not inside a longer word; npos
// if there is none. Looks at the bare text, not at SQL's tokens: prose has apostrophes, which would begin strings.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

// ```label
// content
// ```
struct FencedBlock {
  std::string_view content;  // trimmed
  std::size_t begin = 0;     // of its opening fence in the text
  std::size_t end = 0;       // behind its closing fence, or the text's end where that is missing
  bool closed = false;
};

// The first fenced block that opens at or after `from`. What the opening line says where the content stands below it is
// the label, or else a leading "sql" or "sqlite".
std::optional<FencedBlock> find_fenced_block(std::string_view text, std::size_t from = 0);

}  // namespace trustsql
