#include "llm/json_text.hpp"

#include "base/json_brackets.hpp"
#include "base/text.hpp"

namespace trustsql::llm {

namespace {

// Parsing needs no stack, but code that processes the result does.
constexpr int max_nesting = 100;

}  // namespace

Result<std::string_view> parsable_json(std::string_view text, std::string& scratch) {
  if (trim(text).empty()) return io_error("the answer is empty");
  if (json_nesting(text) > max_nesting) return io_error("the answer is JSON that is nested too deeply");
  if (is_valid_utf8(text)) return text;
  scratch = replace_invalid_utf8(std::string(text));
  return std::string_view(scratch);
}

Error not_json(std::string_view text) { return io_error("the answer is not JSON: " + quote_for_message(text)); }

}  // namespace trustsql::llm
