// Operands: literals, names, calls, parentheses, CASE, CAST, subqueries, and prefix operators with their operand.
#include "base/text.hpp"
#include "sql/parser/parser_impl.hpp"

namespace trustsql::parser {

namespace {

constexpr int join_keyword_function_version = 3042000;  // left(x), full(x) ... are calls of functions

int hex_digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

// x'0aff'
std::string blob_bytes(std::string_view literal) {
  const auto digits = literal.substr(2, literal.size() - 3);
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(hex_digit(digits[i]) << 4 | hex_digit(digits[i + 1]));
  return bytes;
}

}  // namespace

ast::Expr Parser::operand() {
  using Kind = ast::Literal::Kind;
  const Token& token = tokens_.token();
  const bool before_dot = tokens_.peek().is(TokenKind::dot);
  switch (token.kind) {
    case TokenKind::integer: return literal(Kind::integer);
    case TokenKind::real: return literal(Kind::real);
    case TokenKind::blob: return literal(Kind::blob);
    case TokenKind::string:
      if (before_dot) return column();  // 'table'.column
      return literal(Kind::string);
    case TokenKind::variable: return parameter();
    case TokenKind::identifier:
    case TokenKind::quoted:
      if (!tokens_.peek().is(TokenKind::left_parenthesis)) return column();
      break;
    case TokenKind::keyword:
      switch (token.keyword) {
        case Keyword::Null: return literal(Kind::null);
        case Keyword::CurrentDate: return literal(Kind::current_date);
        case Keyword::CurrentTime: return literal(Kind::current_time);
        case Keyword::CurrentTimestamp: return literal(Kind::current_timestamp);
        default: break;
      }
      break;
    default: break;
  }
  const auto begin = token.offset;
  ast::Expr expr = composite_operand();
  if (expr.span.end == 0) expr.span = span_from(begin);
  return expr;
}

// Operands that contain other expressions.
ast::Expr Parser::composite_operand() {
  const Token& token = tokens_.token();
  switch (token.kind) {
    case TokenKind::minus: return unary(ast::UnaryOp::minus);
    case TokenKind::plus: return unary(ast::UnaryOp::plus);
    case TokenKind::tilde: return unary(ast::UnaryOp::bit_not);
    case TokenKind::left_parenthesis: return parenthesised();
    case TokenKind::identifier:
    case TokenKind::quoted: return call();
    default: break;
  }
  switch (token.keyword) {
    case Keyword::Not: return unary(ast::UnaryOp::logical_not);
    case Keyword::Exists: return exists();
    case Keyword::Case: return case_expression();
    case Keyword::Cast: return cast();
    case Keyword::Raise:
      fail_here(ErrorCode::invalid_argument, "RAISE() may only be used within a trigger-program");
      return {};
    default: break;
  }
  if (is_id(token)) return tokens_.peek().is(TokenKind::left_parenthesis) ? call() : column();
  if (is_join_keyword(token)) {
    const bool is_call =
        tokens_.version() >= join_keyword_function_version && tokens_.peek().is(TokenKind::left_parenthesis);
    return is_call ? call() : column();
  }
  tokens_.fail_expecting("an expression");
  return {};
}

// -, + and ~ bind more tightly than all infix operators and COLLATE; the operand of NOT extends over everything that
// binds more tightly than AND.
ast::Expr Parser::unary(ast::UnaryOp op) {
  const Nesting nesting(*this);
  tokens_.advance();
  ast::Expr inner = op == ast::UnaryOp::logical_not ? expression(Level::logical_not) : operand();
  add_level();
  return {ast::Unary{op, std::move(inner)}};
}

ast::Expr Parser::literal(ast::Literal::Kind kind) {
  using Kind = ast::Literal::Kind;
  const Token& token = tokens_.advance();
  const auto text = tokens_.text(token);
  ast::Expr expr{ast::Literal{kind, {}}, {token.offset, static_cast<std::uint32_t>(token.end())}};
  auto& literal = *expr.as<ast::Literal>();
  if (kind == Kind::integer || kind == Kind::real) literal.text = text;
  if (kind == Kind::string) literal.text = unquote(text);
  if (kind == Kind::blob) literal.text = blob_bytes(text);
  return expr;
}

ast::Expr Parser::parameter() {
  const Token token = tokens_.token();
  const auto text = tokens_.text(token);
  // "#1" is a register, allowed only in SQLite's own nested statements.
  if (text.size() > 1 && text[0] == '#' && text[1] >= '0' && text[1] <= '9') tokens_.fail_expecting("an expression");
  tokens_.advance();
  return {ast::Parameter{std::string(text)}, {token.offset, static_cast<std::uint32_t>(token.end())}};
}

// name, name.name, name.name.name
ast::Expr Parser::column() {
  const auto begin = tokens_.token().offset;
  ast::Expr expr{ast::ColumnRef{}};
  auto& ref = *expr.as<ast::ColumnRef>();
  ref.column = take_name();
  if (tokens_.accept(TokenKind::dot)) {
    ref.table = std::move(ref.column);
    ref.column = expect_name("the name of a column");
    if (tokens_.accept(TokenKind::dot)) {
      ref.schema = std::move(*ref.table);
      ref.table = std::move(ref.column);
      ref.column = expect_name("the name of a column");
    }
  }
  expr.span = span_from(begin);
  return expr;
}

// (expression), (row, value) or (SELECT ...). Parentheses leave no trace in the tree.
ast::Expr Parser::parenthesised() {
  const auto begin = tokens_.advance().offset;
  ast::Expr expr;
  if (at_query()) {
    expr.node = ast::Subquery{query()};
  } else {
    ast::Expr first = expression();
    if (!tokens_.at(TokenKind::comma)) {
      expect_right();
      return first;
    }
    ast::Row row;
    row.elements.push_back(std::move(first));
    while (tokens_.accept(TokenKind::comma)) row.elements.push_back(expression());
    expr.node = std::move(row);
    add_level();
  }
  expect_right();
  expr.span = span_from(begin);
  return expr;
}

ast::Expr Parser::case_expression() {
  tokens_.advance();
  ast::Case result;
  if (!tokens_.at(Keyword::When)) result.operand = expression();
  tokens_.expect(Keyword::When);
  do {
    ast::Expr condition = expression();
    tokens_.expect(Keyword::Then);
    result.branches.push_back({std::move(condition), expression()});
  } while (tokens_.accept(Keyword::When));
  if (tokens_.accept(Keyword::Else)) result.otherwise = expression();
  tokens_.expect(Keyword::End);
  add_level();
  return {std::move(result)};
}

ast::Expr Parser::cast() {
  tokens_.advance();
  expect_left();
  ast::Expr inner = expression();
  tokens_.expect(Keyword::As);
  std::string type = type_name();
  expect_right();
  add_level();
  return {ast::Cast{std::move(inner), std::move(type)}};
}

// Words, and one or two signed numbers in parentheses, all of them optional.
std::string Parser::type_name() {
  const auto begin = tokens_.token().offset;
  std::string type;
  while (is_id_or_string(tokens_.token())) {
    if (!type.empty()) type += ' ';
    type += tokens_.text(tokens_.advance());
  }
  if (!type.empty() && tokens_.accept(TokenKind::left_parenthesis)) {
    type += '(';
    for (bool first = true; first || tokens_.accept(TokenKind::comma); first = false) {
      if (!first) type += ',';
      if (tokens_.at(TokenKind::plus) || tokens_.at(TokenKind::minus)) type += tokens_.text(tokens_.advance());
      if (!tokens_.at(TokenKind::integer) && !tokens_.at(TokenKind::real)) tokens_.fail_expecting("a number");
      type += tokens_.text(tokens_.advance());
      if (!first) break;
    }
    expect_right();
    type += ')';
  }
  // SQLite derives the affinity from the text including comments, so a type with comments is kept as written.
  const auto written = tokens_.sql().substr(begin, std::max<std::size_t>(tokens_.previous_end(), begin) - begin);
  if (written.find("/*") != written.npos || written.find("--") != written.npos) return std::string(written);
  return type;
}

ast::Expr Parser::exists() {
  tokens_.advance();
  expect_left();
  ast::Expr expr{ast::Exists{query()}};
  expect_right();
  return expr;
}

}  // namespace trustsql::parser
