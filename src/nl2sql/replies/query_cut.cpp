#include "nl2sql/replies/query_cut.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "sql/syntax_error_offset.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::size_t max_lines_tried = 50;

bool parses(std::string_view text) { return !syntax_error_offset(text); }

std::string_view without_semicolon(std::string_view text) {
  while (!text.empty() && (is_space(text.back()) || text.back() == ';')) text.remove_suffix(1);
  return text;
}

// The offset of the first semicolon token; the size of the text if there is none.
std::size_t find_semicolon(std::string_view text) {
  Tokenizer tokens(text);
  for (Token token = tokens.next(); !token.is(TokenKind::end); token = tokens.next())
    if (token.is(TokenKind::semicolon)) return token.offset;
  return text.size();
}

bool is_ascii_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

std::string_view first_word(std::string_view text) {
  return text.substr(
      0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(),
                                                   [](char c) { return is_ascii_letter(c) || c == '\'' || c == '_'; }) -
                                  text.begin()));
}

// Keywords that begin a sentence if only their first letter is a capital.
bool begins_sentences(std::string_view word) {
  constexpr auto words = std::to_array<std::string_view>({"All", "As", "For", "If", "In", "Is", "No", "To", "With"});
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the rest of a line is prose: words and punctuation, without operators and without keywords in capitals.
bool is_prose_tail(std::string_view tail) {
  tail = trim(tail);
  if (tail.empty()) return false;
  if (tail.front() == '.' || tail.front() == '`' || tail.front() == '"' || tail.front() == '}' || tail.front() == '*')
    return true;
  Tokenizer tokens(tail);
  for (Token token = tokens.next_significant(); !token.is(TokenKind::end); token = tokens.next_significant()) {
    const auto text = token.text(tail);
    switch (token.kind) {
      case TokenKind::identifier:
      case TokenKind::comma:
      case TokenKind::dot:
      case TokenKind::integer:
      case TokenKind::illegal: continue;
      case TokenKind::keyword:
        if (text.size() > 1 && std::all_of(text.begin(), text.end(), is_upper)) return false;
        continue;
      default: return false;
    }
  }
  return true;
}

// `text` up to `end`, without its last word if that could be an alias but is used nowhere else: it is then the first
// word of the prose that follows.
std::string_view without_false_alias(std::string_view text, std::size_t end) {
  const auto prefix = text.substr(0, end);
  const auto tokens = significant_tokens(prefix);
  if (tokens.size() < 2 || !tokens.back().is(TokenKind::identifier)) return prefix;
  const auto& before = tokens[tokens.size() - 2];
  if (!before.is(TokenKind::identifier) && !before.is(TokenKind::quoted) && !before.is(TokenKind::right_parenthesis))
    return prefix;
  const auto word = tokens.back().text(prefix);
  const bool named = std::any_of(tokens.begin(), tokens.end() - 1,
                                 [&](const Token& t) { return equals_ignore_case(t.text(prefix), word); });
  const auto shorter = prefix.substr(0, before.end());
  return !named && parses(shorter) ? shorter : prefix;
}

// The end of a query whose line continues with prose at the token `wrong`, or at the full stop before it.
std::optional<std::size_t> end_before_tail(std::string_view text, std::size_t wrong) {
  auto tail = std::min(wrong, text.size());
  const auto before = trim(text.substr(0, tail));
  if (before.ends_with('.')) tail = before.size() - 1 + static_cast<std::size_t>(before.data() - text.data());
  if (tail >= text.size() || tail == 0) return std::nullopt;
  if (!is_space(text[tail - 1]) && std::string_view(".,:`\"}*").find(text[tail]) == std::string_view::npos)
    return std::nullopt;
  const auto line_end = text.find('\n', tail);
  if (!is_prose_tail(text.substr(tail, line_end == std::string_view::npos ? line_end : line_end - tail)))
    return std::nullopt;
  const auto query = without_false_alias(text, tail);
  return parses(query) ? std::optional(query.size()) : std::nullopt;
}

std::size_t end_of_paragraph(std::string_view text) {
  std::size_t line_end = 0;
  while ((line_end = text.find('\n', line_end)) != std::string_view::npos) {
    const auto next = text.find('\n', line_end + 1);
    if (trim(text.substr(line_end, next == std::string_view::npos ? next : next - line_end)).empty()) return line_end;
    line_end = line_end + 1;
  }
  return text.size();
}

QueryCut cut_at(std::string_view text, std::size_t end, bool ended_early) {
  return {.text = without_semicolon(text.substr(0, end)), .parses = true, .end = end, .ended_early = ended_early};
}

}  // namespace

bool is_prose_line(std::string_view line) {
  line = trim(line);
  if (line.empty()) return false;
  if (line.starts_with("```") || line.starts_with("**") || line.starts_with("#")) return true;
  if (line.size() > 1 && std::string_view("*->").find(line.front()) != std::string_view::npos && line[1] == ' ')
    return true;
  if (line.front() == '(') line.remove_prefix(1);
  const auto word = first_word(line);
  if (word.empty()) return false;
  const bool capitals =
      word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) { return is_upper(c) || c == '_'; });
  if (capitals) return false;
  if (next_token(word, 0).is(TokenKind::keyword)) return begins_sentences(word);
  return is_upper(word.front()) || line.find(' ') != std::string_view::npos;
}

QueryCut cut_statement(std::string_view text) {
  const auto end = find_semicolon(text);
  QueryCut cut{.text = without_semicolon(text.substr(0, end)),
               .parses = false,
               .end = std::min(end + 1, text.size()),
               .ended_early = false};
  cut.parses = parses(cut.text);
  return cut;
}

QueryCut cut_from_prose(std::string_view text) {
  const auto whole = cut_statement(text);
  if (whole.parses) return whole;

  // No prefix that ends after the first wrong token can parse, so no longer prefix needs to be tried.
  const auto wrong = syntax_error_offset(text.substr(0, whole.end)).value_or(whole.end);
  std::size_t line = 0;
  for (std::size_t tried = 0; tried < max_lines_tried; ++tried) {
    const auto line_end = text.find('\n', line);
    if (line_end == std::string_view::npos || line_end > wrong) break;
    line = line_end + 1;
    auto next = line;
    while (next < text.size() && is_space(text[next])) ++next;
    if (is_prose_line(text.substr(next, text.find('\n', next) - next)) && parses(text.substr(0, line_end)))
      return cut_at(text, line_end, true);
  }

  if (const auto end = end_before_tail(text, wrong)) return cut_at(text, *end, true);
  // The line ends with the query, and the text after it is not recognized as prose.
  if (wrong > 0 &&
      trim(text.substr(text.rfind('\n', wrong - 1) + 1, wrong - text.rfind('\n', wrong - 1) - 1)).empty() &&
      parses(text.substr(0, wrong)) && wrong >= end_of_paragraph(text)) {
    return cut_at(text, wrong, true);
  }
  const auto end = std::min(end_of_paragraph(text), whole.end);
  const auto paragraph = without_semicolon(text.substr(0, end));
  // What follows such a paragraph is not known to be prose: "SELECT a FROM t", an empty line, "WHERE b = (".
  if (parses(paragraph)) return whole;
  return {.text = paragraph, .parses = false, .end = end, .ended_early = end < whole.end};
}

}  // namespace trustsql::nl2sql
