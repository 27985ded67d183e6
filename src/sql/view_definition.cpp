#include "sql/view_definition.hpp"

namespace trustsql {

Result<ViewDefinition> parse_view(std::string_view sql, const ParseOptions& grammar) {
  ViewDefinition view;
  Tokenizer tokens(sql, grammar.version);
  bool in_parentheses = false;
  bool at_column = false;  // a name follows
  Token token = tokens.next_significant();
  for (; !token.is(TokenKind::end) && (in_parentheses || !token.is(Keyword::As)); token = tokens.next_significant()) {
    if (token.is(TokenKind::left_parenthesis)) {
      in_parentheses = at_column = true;
    } else if (token.is(TokenKind::right_parenthesis)) {
      in_parentheses = false;
    } else if (token.is(TokenKind::comma)) {
      at_column = true;
    } else if (in_parentheses && at_column) {
      view.columns.push_back(token.name(sql));
      at_column = false;
    }
  }
  if (token.is(TokenKind::end)) return invalid_argument("the definition of the view has no AS");
  TRUSTSQL_ASSIGN_OR_RETURN(view.query, parse_query(sql.substr(token.end()), grammar));
  return view;
}

}  // namespace trustsql
