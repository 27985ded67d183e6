// FROM: tables and how they join (https://sqlite.org/lang_select.html#strange_join_names).
#include "base/text.hpp"
#include "sql/parser/parser_impl.hpp"

namespace trustsql::parser {

namespace {

constexpr int right_join_version = 3039000;  // RIGHT and FULL

}  // namespace

std::vector<ast::FromItem> Parser::from_items() {
  const Nesting nesting(*this);
  std::vector<ast::FromItem> items;
  for (ast::FromItem item; items.empty() || join_operator(item); item = {}) {
    const auto begin = tokens_.token().offset;
    item.source = source();
    item.alias = alias();
    if (auto* table = std::get_if<ast::Table>(&item.source)) {
      if (tokens_.accept(Keyword::Indexed)) {
        tokens_.expect(Keyword::By);
        table->hint = ast::IndexHint{expect_name("the name of an index")};
      } else if (tokens_.at(Keyword::Not) && tokens_.peek().is(Keyword::Indexed)) {
        tokens_.advance();
        tokens_.advance();
        table->hint = ast::IndexHint{};
      }
    }
    item.span = span_from(begin);
    join_constraint(item, items.empty());
    if (items.size() == max_from_items) fail_here(ErrorCode::limit_exceeded, "too many FROM clause terms");
    items.push_back(std::move(item));
  }
  return items;
}

// A comma, or up to three words and JOIN. SQLite accepts the words in any order, and so reads LEFT RIGHT JOIN as FULL
// JOIN.
bool Parser::join_operator(ast::FromItem& item) {
  if (tokens_.accept(TokenKind::comma)) {
    item.join = ast::JoinType::comma;
    return true;
  }
  item.join = ast::JoinType::inner;
  if (tokens_.accept(Keyword::Join)) return true;
  if (!is_join_keyword(tokens_.token())) return false;
  const auto begin = tokens_.token().offset;
  bool left = false, right = false, outer = false, inner = false, cross = false, unknown = false;
  for (int words = 0; words < 3 && !tokens_.at(Keyword::Join) && is_name(tokens_.token()); ++words) {
    switch (tokens_.advance().keyword) {
      case Keyword::Natural: item.natural = true; break;
      case Keyword::Left: left = true; break;
      case Keyword::Right: right = true; break;
      case Keyword::Full: left = right = true; break;
      case Keyword::Outer: outer = true; break;
      case Keyword::Inner: inner = true; break;
      case Keyword::Cross: cross = true; break;
      default: unknown = true; break;
    }
  }
  const auto end = tokens_.previous_end();
  tokens_.expect(Keyword::Join);
  const bool one_sided = left || right;
  if (unknown || ((outer || one_sided) && (inner || cross)) || (outer && !one_sided)) {
    tokens_.fail(begin, ErrorCode::invalid_argument,
                 "unknown join type " + quote_for_message(tokens_.sql().substr(begin, end - begin), 40));
  }
  if (right && tokens_.version() < right_join_version) {
    tokens_.fail(begin, ErrorCode::invalid_argument, "RIGHT and FULL OUTER JOINs are not supported before SQLite 3.39");
  }
  if (cross) item.join = ast::JoinType::cross;
  if (one_sided) item.join = !right ? ast::JoinType::left : !left ? ast::JoinType::right : ast::JoinType::full;
  return true;
}

ast::FromItem::Source Parser::source() {
  if (tokens_.accept(TokenKind::left_parenthesis)) {
    ast::FromItem::Source source;
    if (at_query()) {
      source = ast::DerivedTable{query()};
    } else {
      source = ast::JoinGroup{from_items()};
    }
    expect_right();
    return source;
  }
  ast::TableName name = table_name();
  if (!tokens_.accept(TokenKind::left_parenthesis)) return ast::Table{std::move(name), {}};
  ast::TableFunction function{std::move(name), {}};
  if (!tokens_.at(TokenKind::right_parenthesis)) function.arguments = expressions();
  expect_right();
  return function;
}

// name or schema.name
ast::TableName Parser::table_name() {
  ast::TableName table{{}, expect_name("a table")};
  if (tokens_.accept(TokenKind::dot)) {
    table.schema = std::move(table.name);
    table.name = expect_name("the name of a table");
  }
  return table;
}

// [ON ... | USING (...)]. SQLite rejects some of these only when it processes the join, but they are never valid.
void Parser::join_constraint(ast::FromItem& item, bool first) {
  const auto begin = tokens_.token().offset;
  if (!tokens_.at(Keyword::On) && !tokens_.at(Keyword::Using)) return;
  if (first) tokens_.fail(begin, ErrorCode::invalid_argument, "a JOIN clause is required before ON and USING");
  if (item.natural)
    tokens_.fail(begin, ErrorCode::invalid_argument, "a NATURAL join may not have an ON or USING clause");
  if (tokens_.accept(Keyword::On)) {
    item.on = expression();
  } else if (tokens_.accept(Keyword::Using)) {
    item.using_columns = name_list();
  }
}

}  // namespace trustsql::parser
