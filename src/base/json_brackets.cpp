#include "base/json_brackets.hpp"

#include <algorithm>

#include "base/function_ref.hpp"

namespace trustsql {

namespace {

// Calls visit(position, depth) for each bracket outside strings, with the depth after it, until that returns false.
void each_bracket(std::string_view text, FunctionRef<bool(std::size_t, int)> visit) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (!visit(i, ++depth)) return;
    } else if (c == ']' || c == '}') {
      if (!visit(i, --depth)) return;
    }
  }
}

}  // namespace

int json_nesting(std::string_view text) {
  int deepest = 0;
  each_bracket(text, [&](std::size_t, int depth) {
    deepest = std::max(deepest, depth);
    return true;
  });
  return deepest;
}

std::size_t bracketed_json_length(std::string_view text) {
  std::size_t length = 0;
  each_bracket(text, [&](std::size_t position, int depth) {
    if (depth == 0) length = position + 1;
    return depth != 0;
  });
  return length;
}

}  // namespace trustsql
