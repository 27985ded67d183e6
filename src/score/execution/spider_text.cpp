#include "score/execution/spider_text.hpp"

#include <array>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

// Python's str.replace().
std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t start = 0;
  for (std::size_t position = text.find(from); position != std::string_view::npos; position = text.find(from, start)) {
    result += text.substr(start, position - start);
    result += to;
    start = position + from.size();
  }
  result += text.substr(start);
  return result;
}

std::string join_operators(std::string_view sql) {
  return replace_all(replace_all(replace_all(sql, "> =", ">="), "< =", "<="), "! =", "!=");
}

// The end, according to sqlparse, of the quoted text that begins at `begin`. Its pattern '(''|\\'|[^'])*' (and the same
// with double quotes) prefers a doubled or escaped quote to the end, and backtracks to the last choice if it finds no
// end. npos if there is no closing quote at all.
std::size_t sqlparse_quoted_end(std::string_view sql, std::size_t begin) {
  const char mark = sql[begin];
  std::size_t fallback = std::string_view::npos;
  for (std::size_t i = begin + 1; i < sql.size(); ++i) {
    const bool before_mark = i + 1 < sql.size() && sql[i + 1] == mark;
    if (sql[i] == mark) {
      if (!before_mark) return i + 1;
      fallback = i + 1;
      ++i;
    } else if (sql[i] == '\\' && before_mark) {
      fallback = i + 2;
      ++i;
    }
  }
  return fallback;
}

// The end of `token` according to sqlparse.
std::size_t sqlparse_token_end(std::string_view sql, const Token& token) {
  const char first = sql[token.offset];
  if (first == '\'' || first == '"') {
    const std::size_t end = sqlparse_quoted_end(sql, token.offset);
    return end == std::string_view::npos ? token.offset + std::size_t{1} : end;
  }
  if (token.is(TokenKind::comment) && first == '-') {
    const std::size_t line_end = token.text(sql).find('\r');
    if (line_end != std::string_view::npos) return token.offset + line_end;
  }
  return token.end();
}

std::string drop_distinct(std::string_view sql) {
  std::string kept;
  kept.reserve(sql.size());
  std::size_t offset = 0;
  while (true) {
    const Token token = next_token(sql, offset);
    if (token.is(TokenKind::end)) break;
    const std::size_t end = sqlparse_token_end(sql, token);
    if (!token.is(Keyword::Distinct)) kept += sql.substr(offset, end - offset);
    offset = end;
    if (token.is(TokenKind::semicolon)) return kept;
  }
  kept += sql.substr(offset);  // from a NUL byte on, where SQLite stops reading
  return kept;
}

// The length in bytes of the white space (\s in Python's re) at the beginning of `text`.
std::size_t python_space_length(std::string_view text) {
  static constexpr std::array<std::string_view, 19> wide = {
      "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
      "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a",
      "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
  std::size_t length = 0;
  while (length < text.size()) {
    const char c = text[length];
    if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f')) {
      ++length;
      continue;
    }
    std::size_t step = 0;
    for (const auto space : wide)
      if (text.substr(length).starts_with(space)) step = space.size();
    if (step == 0) break;
    length += step;
  }
  return length;
}

// The length in bytes of YEAR(CURDATE()) and the white space after it at the beginning of `text`; 0 if `text` does not
// begin with it.
std::size_t current_year_length(std::string_view text) {
  static constexpr std::array<std::string_view, 6> parts = {"year", "(", "curdate", "(", ")", ")"};
  std::size_t length = 0;
  for (const auto part : parts) {
    if (!equals_ignore_case(text.substr(length, part.size()), part)) return 0;
    length += part.size();
    length += python_space_length(text.substr(length));
  }
  return length;
}

std::string replace_current_year(std::string sql) {
  if (!contains_ignore_case(sql, "curdate")) return sql;
  std::string result;
  for (std::size_t i = 0; i < sql.size();) {
    const std::size_t length = current_year_length(std::string_view(sql).substr(i));
    if (length > 0) {
      result += "2020";
      i += length;
    } else {
      result += sql[i++];
    }
  }
  return result;
}

std::string without_distinct(std::string sql, SpiderDistinct distinct) {
  return distinct == SpiderDistinct::drop ? drop_distinct(sql) : sql;
}

}  // namespace

SpiderGold spider_gold(std::string_view gold, SpiderDistinct distinct) {
  std::string sql = without_distinct(join_operators(gold), distinct);
  const bool order_matters = contains_ignore_case(sql, "order by");
  return {replace_current_year(std::move(sql)), order_matters};
}

std::string spider_prediction(std::string_view prediction, SpiderDistinct distinct) {
  return replace_current_year(without_distinct(join_operators(replace_all(prediction, "value", "1")), distinct));
}

}  // namespace trustsql
