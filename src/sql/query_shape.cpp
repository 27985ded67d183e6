#include "sql/query_shape.hpp"

#include "base/text.hpp"

namespace trustsql {

namespace {

// Reads the significant tokens of the first statement and keeps track of how many parentheses are open.
class StatementReader {
 public:
  explicit StatementReader(std::string_view sql) : tokenizer_(sql) {}

  // The next token; its kind is `end` after the last token of the statement.
  Token next() {
    Token token = tokenizer_.next_significant();
    if (token.is(TokenKind::semicolon)) token.kind = TokenKind::end;
    if (token.is(TokenKind::left_parenthesis)) ++depth_;
    if (token.is(TokenKind::right_parenthesis)) --depth_;
    return token;
  }
  bool outermost() const { return depth_ == 0; }

 private:
  Tokenizer tokenizer_;
  long depth_ = 0;
};

// Whether `token` ends a select list if it is at the same level. FROM does not in "a IS DISTINCT FROM b", the only
// place where it follows DISTINCT.
bool ends_select_list(const Token& token, const Token& before) {
  if (token.kind == TokenKind::semicolon) return true;
  if (token.kind != TokenKind::keyword) return false;
  switch (token.keyword) {
    case Keyword::From: return !before.is(Keyword::Distinct);
    case Keyword::Where:
    case Keyword::Group:
    case Keyword::Having:
    case Keyword::Order:
    case Keyword::Limit:
    case Keyword::Union:
    case Keyword::Intersect:
    case Keyword::Except: return true;
    default: return false;
  }
}

}  // namespace

bool has_outermost_order_by(std::string_view sql) {
  StatementReader reader(sql);
  bool after_order = false;
  for (Token token = reader.next(); token.kind != TokenKind::end; token = reader.next()) {
    if (after_order && token.is(Keyword::By)) return true;
    after_order = reader.outermost() && token.is(Keyword::Order);
  }
  return false;
}

std::optional<SelectList> outermost_select_list(std::span<const Token> tokens) {
  long depth = 0;
  std::optional<SelectList> list;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is(TokenKind::left_parenthesis)) ++depth;
    if (token.is(TokenKind::right_parenthesis)) --depth;
    if (depth != 0) continue;
    if (!list && token.is(TokenKind::semicolon)) break;
    if (!list && token.is(Keyword::Select)) {
      list.emplace();
      list->begin = i + 1;
      if (list->begin < tokens.size()) {
        list->distinct = tokens[list->begin].is(Keyword::Distinct);
        if (list->distinct || tokens[list->begin].is(Keyword::All)) ++list->begin;
      }
      i = list->begin - 1;
    } else if (list && i >= list->begin && ends_select_list(token, tokens[i - 1])) {
      list->end = i;
      return list;
    }
  }
  if (list) list->end = tokens.size();
  return list;
}

bool is_repeatable(std::string_view sql) {
  if (!contains_ignore_case(sql, "random")) return true;  // most queries, without looking at tokens
  Tokenizer tokenizer(sql);
  for (Token token = tokenizer.next(); token.kind != TokenKind::end; token = tokenizer.next()) {
    if (token.kind != TokenKind::identifier && token.kind != TokenKind::quoted) continue;
    std::string_view name = token.text(sql);
    if (token.kind == TokenKind::quoted) name = name.substr(1, name.size() - 2);
    if (equals_ignore_case(name, "random") || equals_ignore_case(name, "randomblob")) return false;
  }
  return true;
}

bool has_parameters(std::string_view sql) {
  if (sql.find_first_of("?:@$#") == std::string_view::npos) return false;
  Tokenizer tokenizer(sql);
  for (Token token = tokenizer.next(); token.kind != TokenKind::end; token = tokenizer.next())
    if (token.is(TokenKind::variable)) return true;
  return false;
}

}  // namespace trustsql
