#include "sql/reply_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql {

namespace {

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view without_label(std::string_view block) {
  if (const std::size_t line_end = block.find_first_of("\r\n"); line_end != std::string_view::npos) {
    const auto line = trim(block.substr(0, line_end));
    const bool begins_query =
        equals_ignore_case(line, "select") || equals_ignore_case(line, "with") || equals_ignore_case(line, "values");
    if (!begins_query && line.find(' ') == std::string_view::npos && !trim(block.substr(line_end)).empty())
      return trim(block.substr(line_end));
  }
  for (const std::string_view language : {"sqlite", "sql"})
    if (block.size() > language.size() && equals_ignore_case(block.substr(0, language.size()), language) &&
        is_space(block[language.size()]))
      return trim(block.substr(language.size()));
  return trim(block);
}

}  // namespace

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t position = from; position + word.size() <= text.size(); ++position) {
    if (!equals_ignore_case(text.substr(position, word.size()), word)) continue;
    const bool begins = position == 0 || !is_word_byte(text[position - 1]);
    const bool ends = position + word.size() == text.size() || !is_word_byte(text[position + word.size()]);
    if (begins && ends) return position;
  }
  return std::string_view::npos;
}

std::optional<FencedBlock> find_fenced_block(std::string_view text, std::size_t from) {
  constexpr std::string_view fence = "```";
  const std::size_t open = text.find(fence, from);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t inside = open + fence.size();
  const std::size_t close = text.find(fence, inside);
  const std::size_t end = close == std::string_view::npos ? text.size() : close + fence.size();
  const auto block = text.substr(inside, close == std::string_view::npos ? close : close - inside);
  return FencedBlock{
      .content = without_label(block), .begin = open, .end = end, .closed = close != std::string_view::npos};
}

}  // namespace trustsql
