// Operators, by precedence climbing: expression(l) reads an operand and then all operators that bind at least as
// tightly as l, each with a right side that binds more tightly (all of them associate to the left).
//
// SQLite's grammar is written for an LALR parser; comments mark the effects of its precedence declarations that a table
// of levels does not show.
#include "sql/parser/parser_impl.hpp"

namespace trustsql::parser {

namespace {

constexpr int distinct_from_version = 3039000;  // IS [NOT] DISTINCT FROM
constexpr int in_subquery_version = 3041000;    // x IN ((SELECT ...)) is x IN (SELECT ...), not a list of one value

}  // namespace

ast::LikeOp like_operator(Keyword keyword) {
  switch (keyword) {
    case Keyword::Glob: return ast::LikeOp::glob;
    case Keyword::Regexp: return ast::LikeOp::regexp;
    case Keyword::Match: return ast::LikeOp::match;
    default: return ast::LikeOp::like;
  }
}

// The infix operator at the current token, if any.
struct Parser::Infix {
  enum class Form : std::uint8_t { binary, is, is_null, not_something, between, like, in, collate };
  Level level = Level::none;
  Form form = Form::binary;
  ast::BinaryOp op = ast::BinaryOp::equal;  // for Form::binary
};

Parser::Infix Parser::infix() const {
  using enum ast::BinaryOp;
  using Form = Infix::Form;
  const auto binary = [](ast::BinaryOp op) { return Infix{level_of(op), Form::binary, op}; };
  const auto special = [](Level level, Form form) { return Infix{level, form}; };
  switch (tokens_.token().kind) {
    case TokenKind::equal: return binary(equal);
    case TokenKind::not_equal: return binary(not_equal);
    case TokenKind::less: return binary(less);
    case TokenKind::less_equal: return binary(less_equal);
    case TokenKind::greater: return binary(greater);
    case TokenKind::greater_equal: return binary(greater_equal);
    case TokenKind::ampersand: return binary(bit_and);
    case TokenKind::bar: return binary(bit_or);
    case TokenKind::shift_left: return binary(shift_left);
    case TokenKind::shift_right: return binary(shift_right);
    case TokenKind::plus: return binary(add);
    case TokenKind::minus: return binary(subtract);
    case TokenKind::star: return binary(multiply);
    case TokenKind::slash: return binary(divide);
    case TokenKind::percent: return binary(remainder);
    case TokenKind::concat: return binary(concat);
    case TokenKind::arrow: return binary(arrow);
    case TokenKind::double_arrow: return binary(double_arrow);
    case TokenKind::keyword: break;
    default: return {};
  }
  switch (tokens_.token().keyword) {
    case Keyword::Or: return binary(logical_or);
    case Keyword::And: return binary(logical_and);
    case Keyword::Is: return special(Level::equality, Form::is);
    case Keyword::Isnull:
    case Keyword::Notnull: return special(Level::equality, Form::is_null);
    case Keyword::Between: return special(Level::equality, Form::between);
    case Keyword::Like:
    case Keyword::Glob:
    case Keyword::Regexp:
    case Keyword::Match: return special(Level::equality, Form::like);
    case Keyword::In: return special(Level::equality, Form::in);
    case Keyword::Collate: return special(Level::collate, Form::collate);
    case Keyword::Not:
      // In the grammar NOT IN, NOT LIKE ... have the level of NOT, but there is no operator between the two levels, so
      // both give the same tree.
      return special(Level::equality, Form::not_something);
    default: return {};
  }
}

// `stop_at_and`: an AND here belongs to an enclosing BETWEEN.
ast::Expr Parser::expression(Level loosest, bool stop_at_and) {
  const Nesting nesting(*this);
  const int siblings = start_children();
  const auto begin = tokens_.token().offset;
  ast::Expr left = operand();
  for (Infix next = infix(); next.level >= loosest; next = infix()) {
    if (stop_at_and && next.level == Level::logical_and) break;
    left = infix_expression(std::move(left), next);
    left.span = span_from(begin);
    add_level();
  }
  finish_children(siblings);
  return left;
}

ast::Expr Parser::infix_expression(ast::Expr left, const Infix& infix) {
  using Form = Infix::Form;
  const Token& token = tokens_.advance();
  switch (infix.form) {
    case Form::binary: return {ast::Binary{infix.op, std::move(left), expression(tighter(infix.level))}};
    case Form::is: return is_expression(std::move(left));
    case Form::is_null: return {ast::IsNull{std::move(left), token.is(Keyword::Notnull)}};
    case Form::not_something: return not_expression(std::move(left));
    case Form::between: return between(std::move(left), false);
    case Form::like: return like(std::move(left), like_operator(token.keyword), false);
    case Form::in: return in(std::move(left), false);
    case Form::collate:
      if (!is_id_or_string(tokens_.token())) tokens_.fail_expecting("the name of a collation");
      return {ast::Collate{std::move(left), take_name()}};
  }
  return left;
}

// After IS. "a IS NOT b" is never "a IS (NOT b)".
ast::Expr Parser::is_expression(ast::Expr left) {
  bool negated = tokens_.accept(Keyword::Not);
  if (tokens_.version() >= distinct_from_version && tokens_.accept(Keyword::Distinct)) {
    tokens_.expect(Keyword::From);
    negated = !negated;
  }
  ast::Expr right = expression(tighter(Level::equality));
  const auto* literal = right.as<ast::Literal>();
  if (literal != nullptr && literal->kind == ast::Literal::Kind::null) return {ast::IsNull{std::move(left), negated}};
  return {ast::Binary{negated ? ast::BinaryOp::is_not : ast::BinaryOp::is, std::move(left), std::move(right)}};
}

// After an operand and NOT.
ast::Expr Parser::not_expression(ast::Expr left) {
  const Token& token = tokens_.token();
  switch (token.keyword) {
    case Keyword::Null: tokens_.advance(); return {ast::IsNull{std::move(left), true}};
    case Keyword::Between: tokens_.advance(); return between(std::move(left), true);
    case Keyword::In: tokens_.advance(); return in(std::move(left), true);
    case Keyword::Like:
    case Keyword::Glob:
    case Keyword::Regexp:
    case Keyword::Match: tokens_.advance(); return like(std::move(left), like_operator(token.keyword), true);
    default: tokens_.fail_expecting("NULL, BETWEEN, IN, LIKE, GLOB, REGEXP or MATCH"); return left;
  }
}

// The first AND that is not inside a tighter or parenthesised expression ends the lower bound, however loosely the
// operators in the bound bind: in "a BETWEEN b OR c AND d", the bounds are "b OR c" and d.
ast::Expr Parser::between(ast::Expr left, bool negated) {
  ast::Expr low = expression(Level::logical_or, true);
  tokens_.expect(Keyword::And);
  return {ast::Between{std::move(left), negated, std::move(low), expression(tighter(Level::equality))}};
}

ast::Expr Parser::like(ast::Expr left, ast::LikeOp op, bool negated) {
  ast::Like like{op, std::move(left), negated, expression(tighter(Level::equality)), {}};
  if (tokens_.accept(Keyword::Escape)) like.escape = expression(tighter(Level::equality));
  return {std::move(like)};
}

ast::Expr Parser::in(ast::Expr left, bool negated) {
  ast::In in{std::move(left), negated, {}};
  if (tokens_.accept(TokenKind::left_parenthesis)) {
    if (at_query()) {
      in.set = ast::Box(query());
    } else if (!tokens_.at(TokenKind::right_parenthesis)) {
      auto list = expressions();
      auto* subquery = list.front().as<ast::Subquery>();
      if (tokens_.version() >= in_subquery_version && list.size() == 1 && subquery != nullptr) {
        in.set = std::move(subquery->query);
      } else {
        in.set = std::move(list);
      }
    }
    expect_right();
    return {std::move(in)};
  }
  ast::TableName table = table_name();
  if (tokens_.accept(TokenKind::left_parenthesis)) {
    ast::TableFunction function{std::move(table), {}};
    if (!tokens_.at(TokenKind::right_parenthesis)) function.arguments = expressions();
    expect_right();
    in.set = std::move(function);
  } else {
    in.set = std::move(table);
  }
  return {std::move(in)};
}

std::vector<ast::Expr> Parser::expressions() {
  std::vector<ast::Expr> list;
  do list.push_back(expression());
  while (tokens_.accept(TokenKind::comma));
  return list;
}

}  // namespace trustsql::parser
