#include "llm/json_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::llm {

namespace {

constexpr int max_nesting = 100;

// How deeply the brackets of a JSON text are nested. Parsing needs no stack, but code that processes the result does.
int nesting(std::string_view text) {
  int depth = 0;
  int deepest_nesting = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest_nesting = std::max(deepest_nesting, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest_nesting;
}

}  // namespace

Result<std::string_view> parsable_json(std::string_view text, std::string& scratch) {
  if (trim(text).empty()) return io_error("the answer is empty");
  if (nesting(text) > max_nesting) return io_error("the answer is JSON that is nested too deeply");
  if (is_valid_utf8(text)) return text;
  scratch = drop_invalid_utf8(text);
  return std::string_view(scratch);
}

Error not_json(std::string_view text) { return io_error("the answer is not JSON: " + quote_for_message(text)); }

}  // namespace trustsql::llm
