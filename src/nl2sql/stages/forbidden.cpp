#include "nl2sql/stages/forbidden.hpp"

#include "base/sql_token.hpp"

namespace trustsql::nl2sql {

std::string_view forbidden_construct(std::string_view sql) {
  const auto tokens = significant_tokens(sql);
  const auto is_keyword = [&](std::size_t i, Keyword keyword) { return i < tokens.size() && tokens[i].is(keyword); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_keyword(i, Keyword::Left)) {
      const std::size_t next = is_keyword(i + 1, Keyword::Outer) ? i + 2 : i + 1;
      if (is_keyword(next, Keyword::Join)) return "LEFT JOIN";
    }
    if (is_keyword(i, Keyword::Select)) {
      const std::size_t next = is_keyword(i + 1, Keyword::Distinct) || is_keyword(i + 1, Keyword::All) ? i + 2 : i + 1;
      if (next < tokens.size() && tokens[next].is(TokenKind::star)) return "SELECT *";
    }
  }
  return {};
}

}  // namespace trustsql::nl2sql
