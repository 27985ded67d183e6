// Statements: WITH, SELECT, VALUES, set operators, ORDER BY and LIMIT (https://sqlite.org/lang_select.html).
#include "base/text.hpp"
#include "sql/parser/parser_impl.hpp"

namespace trustsql::parser {

// Whether a subquery begins here, after a parenthesis. (In this position WITH is never a name.)
bool Parser::at_query() const {
  return tokens_.at(Keyword::Select) || tokens_.at(Keyword::Values) || tokens_.at(Keyword::With);
}

ast::Query Parser::query() {
  const Nesting nesting(*this);
  const int siblings = start_children();
  const auto begin = tokens_.token().offset;
  ast::Query query;
  if (tokens_.accept(Keyword::With)) query.with = with();
  query.arms.push_back(arm());
  order_and_limit(query);
  for (ast::SetOp op{}; set_operator(op);) {
    if (query.arms.size() == max_set_arms) fail_here(ErrorCode::limit_exceeded, "too many terms in compound SELECT");
    query.arms.push_back(arm());
    query.arms.back().op = op;
    order_and_limit(query);
  }
  add_level();
  finish_children(siblings);
  query.span = span_from(begin);
  return query;
}

ast::With Parser::with() {
  ast::With with;
  with.recursive = tokens_.accept(Keyword::Recursive);
  do with.tables.push_back(common_table());
  while (tokens_.accept(TokenKind::comma));
  return with;
}

ast::CommonTable Parser::common_table() {
  ast::CommonTable table;
  table.name = expect_name("the name of a common table");
  if (tokens_.at(TokenKind::left_parenthesis)) table.columns = name_list();
  tokens_.expect(Keyword::As);
  if (tokens_.accept(Keyword::Materialized)) {
    table.materialized = ast::Materialized::yes;
  } else if (tokens_.accept(Keyword::Not)) {
    tokens_.expect(Keyword::Materialized);
    table.materialized = ast::Materialized::no;
  }
  expect_left();
  table.query = query();
  expect_right();
  return table;
}

ast::Arm Parser::arm() {
  ast::Arm arm;
  if (tokens_.at(Keyword::Select)) {
    arm.body = select();
  } else if (tokens_.at(Keyword::Values)) {
    arm.body = values();
  } else {
    tokens_.fail_expecting("SELECT or VALUES");
  }
  return arm;
}

ast::Select Parser::select() {
  const auto begin = tokens_.advance().offset;
  ast::Select select;
  if (!tokens_.accept(Keyword::All)) select.distinct = tokens_.accept(Keyword::Distinct);
  do select.items.push_back(select_item());
  while (tokens_.accept(TokenKind::comma));
  if (tokens_.accept(Keyword::From)) select.from = from_items();
  if (tokens_.accept(Keyword::Where)) select.where = expression();
  if (tokens_.accept(Keyword::Group)) {
    tokens_.expect(Keyword::By);
    select.group_by = expressions();
  }
  if (tokens_.accept(Keyword::Having)) select.having = expression();
  if (tokens_.accept(Keyword::Window)) select.windows = named_windows();
  select.span = span_from(begin);
  return select;
}

ast::SelectItem Parser::select_item() {
  if (tokens_.accept(TokenKind::star)) return {ast::Star{}, {}};
  if (tokens_.peek().is(TokenKind::dot) && tokens_.peek(2).is(TokenKind::star) && is_name(tokens_.token())) {
    ast::SelectItem item{ast::Star{take_name()}, {}};
    tokens_.advance();
    tokens_.advance();
    return item;
  }
  const auto begin = tokens_.token().offset;
  ast::SelectItem item{expression(), {}};
  const auto end = tokens_.token().offset;
  item.alias = alias();
  const auto* column = item.expr()->as<ast::ColumnRef>();
  const bool named_by_text = !item.alias && (column == nullptr || column->may_be_string() || column->may_be_boolean());
  if (named_by_text && end > begin) item.text = trim(tokens_.sql().substr(begin, end - begin));
  return item;
}

ast::Values Parser::values() {
  const auto begin = tokens_.advance().offset;
  ast::Values values;
  do {
    expect_left();
    values.rows.push_back(expressions());
    expect_right();
  } while (tokens_.accept(TokenKind::comma));
  values.span = span_from(begin);
  return values;
}

bool Parser::set_operator(ast::SetOp& op) {
  if (tokens_.accept(Keyword::Union)) {
    op = tokens_.accept(Keyword::All) ? ast::SetOp::union_all : ast::SetOp::union_distinct;
  } else if (tokens_.accept(Keyword::Intersect)) {
    op = ast::SetOp::intersect;
  } else if (tokens_.accept(Keyword::Except)) {
    op = ast::SetOp::except;
  } else {
    return false;
  }
  return true;
}

// The grammar allows ORDER BY and LIMIT after each SELECT, but never after VALUES; they are an error unless that SELECT
// is the last.
void Parser::order_and_limit(ast::Query& query) {
  if (query.arms.back().select() == nullptr) return;
  const auto begin = tokens_.token().offset;
  query.order_by = order_by();
  if (tokens_.accept(Keyword::Limit)) {
    query.limit = expression();
    if (tokens_.accept(Keyword::Offset)) {
      query.offset = expression();
    } else if (tokens_.accept(TokenKind::comma)) {
      query.offset = std::exchange(query.limit, ast::Box(expression()));
    }
  }
  if (query.order_by.empty() && !query.limit) return;
  if (tokens_.at(Keyword::Union) || tokens_.at(Keyword::Intersect) || tokens_.at(Keyword::Except)) {
    const std::string clause = query.order_by.empty() ? "LIMIT" : "ORDER BY";
    tokens_.fail(
        begin, ErrorCode::invalid_argument,
        clause + " clause should come after " + std::string(keyword_text(tokens_.token().keyword)) + " not before");
  }
}

// [ORDER BY ...]
std::vector<ast::OrderTerm> Parser::order_by() {
  std::vector<ast::OrderTerm> terms;
  if (!tokens_.accept(Keyword::Order)) return terms;
  tokens_.expect(Keyword::By);
  do {
    ast::OrderTerm term{expression()};
    term.descending = tokens_.accept(Keyword::Desc);
    if (!term.descending) tokens_.accept(Keyword::Asc);
    if (tokens_.accept(Keyword::Nulls)) {
      term.nulls = tokens_.at(Keyword::First) ? ast::NullsOrder::first : ast::NullsOrder::last;
      if (!tokens_.accept(Keyword::First)) tokens_.expect(Keyword::Last);
    }
    terms.push_back(std::move(term));
  } while (tokens_.accept(TokenKind::comma));
  return terms;
}

}  // namespace trustsql::parser
