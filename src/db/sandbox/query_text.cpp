#include "db/sandbox/query_text.hpp"

#include <algorithm>
#include <string>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view first_word(std::string_view sql) {
  const auto end = std::find_if_not(sql.begin(), sql.end(), is_word_character);
  return sql.substr(0, static_cast<std::size_t>(end - sql.begin()));
}

}  // namespace

std::string_view skip_blanks(std::string_view sql) {
  while (!sql.empty()) {
    if (is_space(sql.front()) || sql.front() == ';') {
      sql.remove_prefix(1);
    } else if (sql.starts_with("--")) {
      const std::size_t end = sql.find('\n');
      sql.remove_prefix(end == std::string_view::npos ? sql.size() : end + 1);
    } else if (sql.starts_with("/*") && sql.size() > 2) {  // an unclosed comment extends to the end
      const std::size_t end = sql.find("*/", 2);
      sql.remove_prefix(end == std::string_view::npos ? sql.size() : end + 2);
    } else if (sql.starts_with("\xef\xbb\xbf")) {  // a byte order mark
      sql.remove_prefix(3);
    } else {
      break;
    }
  }
  return sql;
}

std::size_t simple_statement_length(std::string_view sql) {
  Tokenizer tokens(sql);
  while (true) {
    const Token token = tokens.next();
    if (token.is(TokenKind::end)) return sql.size();
    if (token.is(TokenKind::semicolon)) return token.end();
  }
}

Status check_query_text(std::string_view sql) {
  const std::string_view query = skip_blanks(sql);
  if (query.empty()) return not_allowed("the query is empty");
  const std::string_view word = first_word(query);
  const auto word_is = [&](std::string_view keyword) { return equals_ignore_case(word, keyword); };
  if (!word_is("select") && !word_is("with") && !word_is("values")) {
    if (word.empty()) return not_allowed("the query is not a SELECT statement: " + quote_for_message(query, 40));
    return not_allowed("the sandbox runs SELECT statements only, not " + std::string(word.substr(0, 40)));
  }
  if (sql.find('\0') != std::string_view::npos) return not_allowed("the query contains a NUL character");
  if (!is_valid_utf8(sql)) return not_allowed("the query is not valid UTF-8");
  return ok_status();
}

}  // namespace trustsql
