#include <algorithm>

#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

namespace {

using Strength = Collation::Strength;

// The type of an operator expression: it has no affinity, and no collation unless one of its operands contains a
// COLLATE.
template <class... Operands>
ExprType plain_type(const Operands&... operands) {
  ExprType type;
  const auto take = [&](const ExprType& operand) {
    if (operand.collation.strength == Strength::collate && type.collation.strength == Strength::none)
      type.collation = operand.collation;
  };
  (take(operands.type), ...);
  return type;
}

SqlExpr plain(ast::Expr::Node node, ExprType type = {}) { return {ast::Expr{std::move(node), {}}, type}; }

ast::Expr binary(ast::BinaryOp op, ast::Expr left, ast::Expr right) {
  return {ast::Binary{op, std::move(left), std::move(right)}, {}};
}

void strip_affinity(SqlExpr& sql) {
  if (sql.type.affinity == Affinity::none) return;
  sql.expr = ast::Expr{ast::Unary{ast::UnaryOp::plus, std::move(sql.expr)}, {}};
  sql.type.affinity = Affinity::none;
}

bool is_value(const ast::Expr& expr) {
  const auto* literal = std::get_if<ast::Literal>(&expr.node);
  return literal != nullptr && literal->kind != ast::Literal::Kind::null;
}

// Gives an expression an affinity without changing its value: (SELECT expr UNION ALL SELECT CAST(NULL AS type) WHERE 0)
// has the affinity of its last arm and the value of its first.
void lend_affinity(SqlExpr& sql, Affinity affinity) {
  const auto select = [](ast::Expr expr) {
    ast::Select s;
    s.items.push_back({std::move(expr), {}, {}});
    return s;
  };
  ast::Query query;
  query.arms.push_back({ast::SetOp::union_all, select(std::move(sql.expr))});
  auto typed = select({ast::Cast{sql_literal({}), affinity == Affinity::text ? "TEXT" : "NUMERIC"}, {}});
  typed.where = sql_literal(std::int64_t{0});
  query.arms.push_back({ast::SetOp::union_all, std::move(typed)});
  sql.expr = ast::Expr{ast::Subquery{std::move(query)}, {}};
  sql.type.affinity = affinity;
  sql.type.collation = {};
}

}  // namespace

SqlExpr SqlWriter::with_collation(SqlExpr sql, std::string_view collation) {
  if (canonical_collation(sql.type.collation.name) == collation) return sql;
  sql.expr = ast::Expr{ast::Collate{std::move(sql.expr), sql_name(collation)}, {}};
  sql.type.collation = {collation, Strength::collate};
  return sql;
}

void SqlWriter::adjust(SqlExpr& left, SqlExpr& right, const Comparison& how) {
  if (natural_comparison(left.type, right.type).affinity != how.affinity) {
    // Remove the wrong affinities, then add the missing one.
    const auto fits = [&](const SqlExpr& side) {
      return how.affinity != Affinity::none && effective_affinity(side.type.affinity) == how.affinity;
    };
    if (!fits(left)) strip_affinity(left);
    if (!fits(right)) strip_affinity(right);
    if (how.affinity == Affinity::text && left.type.affinity == Affinity::text && right.type.affinity == Affinity::text)
      strip_affinity(right);
    // Prefer a literal: an aggregate or window function cannot be in a subquery of its own SELECT.
    if (natural_comparison(left.type, right.type).affinity != how.affinity)
      lend_affinity(is_value(right.expr) ? right : left, how.affinity);
  }
  if (natural_comparison(left.type, right.type).collation == how.collation) return;
  left.expr = ast::Expr{ast::Collate{std::move(left.expr), sql_name(how.collation)}, {}};
  left.type.collation = {how.collation, Strength::collate};
}

Comparison SqlWriter::in_effect(const Comparison& how, const Expr& left, const ExprType& left_type, const Expr& right,
                                const ExprType& right_type) const {
  const auto natural = natural_comparison(left_type, right_type);
  for (const auto affinity : {natural.affinity, how.affinity}) {
    if (converts(left, affinity, plan_) || converts(right, affinity, plan_)) return how;
  }
  return {natural.affinity, how.collation};
}

SqlExpr SqlWriter::emit(const Expr& expr) {
  return std::visit([this](const auto& node) { return emit_node(node); }, expr.node);
}

std::vector<ast::Expr> SqlWriter::emit_all(const std::vector<Expr>& exprs) {
  std::vector<ast::Expr> emitted;
  emitted.reserve(exprs.size());
  for (const auto& expr : exprs) emitted.push_back(emit_ast(expr));
  return emitted;
}

ast::Expr SqlWriter::emit_conjunction(const std::vector<Expr>& conjuncts) {
  if (conjuncts.empty()) return sql_literal(std::int64_t{1});
  auto result = emit_ast(conjuncts.front());
  for (std::size_t i = 1; i < conjuncts.size(); ++i)
    result = binary(ast::BinaryOp::logical_and, std::move(result), emit_ast(conjuncts[i]));
  return result;
}

SqlExpr SqlWriter::emit_node(const Literal& node) { return {sql_literal(node.value), {}}; }

SqlExpr SqlWriter::emit_node(const Column& node) { return cells_[node.id].sql; }

SqlExpr SqlWriter::emit_node(const Parameter& node) { return plain(ast::Parameter{std::string(node.text)}); }

SqlExpr SqlWriter::emit_node(const Unary& node) {
  // 0 - 0.0 is 0.0, but SQL reads -0.0 as one number.
  const auto* real = literal_as<double>(*node.operand);
  if (real != nullptr && node.op == ast::UnaryOp::minus) return {sql_literal(0 - *real), {}};
  auto operand = emit(*node.operand);
  return plain(ast::Unary{node.op, std::move(operand.expr)}, plain_type(operand));
}

SqlExpr SqlWriter::emit_node(const Binary& node) {
  auto left = emit(*node.left);
  auto right = emit(*node.right);
  const auto type = plain_type(left, right);
  return {binary(node.op, std::move(left.expr), std::move(right.expr)), type};
}

SqlExpr SqlWriter::emit_node(const Compare& node) {
  auto left = emit(*node.left);
  auto right = emit(*node.right);
  adjust(left, right, in_effect(node.how, *node.left, left.type, *node.right, right.type));
  const auto type = plain_type(left, right);
  return {binary(sql_operator(node.op), std::move(left.expr), std::move(right.expr)), type};
}

SqlExpr SqlWriter::emit_node(const RowCompare& node) {
  // Elements of a row are adjusted one by one, the columns of a subquery in its select list.
  const auto elements = [&](const Expr& side) {
    std::vector<SqlExpr> emitted;
    if (const auto* row = side.as<Row>()) {
      for (const auto& element : row->elements) emitted.push_back(emit(element));
    }
    return emitted;
  };
  const auto as_row = [](std::vector<SqlExpr> emitted) {
    ast::Row row;
    for (auto& element : emitted) row.elements.push_back(std::move(element.expr));
    return ast::Expr{std::move(row), {}};
  };
  auto left = elements(*node.left);
  auto right = elements(*node.right);
  if (const auto* subquery_side = node.right->as<ScalarSubquery>(); subquery_side != nullptr && !left.empty()) {
    auto query = compared_subquery(*subquery_side->rel, left, node.how);
    return plain(
        ast::Binary{sql_operator(node.op), as_row(std::move(left)), ast::Expr{ast::Subquery{std::move(query)}, {}}});
  }
  if (const auto* subquery_side = node.left->as<ScalarSubquery>(); subquery_side != nullptr && !right.empty()) {
    auto query = compared_subquery(*subquery_side->rel, right, node.how);
    return plain(
        ast::Binary{sql_operator(node.op), ast::Expr{ast::Subquery{std::move(query)}, {}}, as_row(std::move(right))});
  }
  if (left.empty() || right.empty())
    return plain(ast::Binary{sql_operator(node.op), emit_ast(*node.left), emit_ast(*node.right)});
  for (std::size_t i = 0; i < left.size(); ++i) adjust(left[i], right[i], node.how[i]);
  return plain(ast::Binary{sql_operator(node.op), as_row(std::move(left)), as_row(std::move(right))});
}

namespace {

SqlExpr chain(ast::BinaryOp op, std::vector<SqlExpr> terms) {
  SqlExpr result = std::move(terms.front());
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const auto type = plain_type(result, terms[i]);
    result = {binary(op, std::move(result.expr), std::move(terms[i].expr)), type};
  }
  return result;
}

}  // namespace

SqlExpr SqlWriter::emit_node(const And& node) {
  std::vector<SqlExpr> terms;
  for (const auto& term : node.terms) terms.push_back(emit(term));
  return chain(ast::BinaryOp::logical_and, std::move(terms));
}

SqlExpr SqlWriter::emit_node(const Or& node) {
  std::vector<SqlExpr> terms;
  for (const auto& term : node.terms) terms.push_back(emit(term));
  return chain(ast::BinaryOp::logical_or, std::move(terms));
}

SqlExpr SqlWriter::emit_node(const Not& node) {
  auto operand = emit(*node.operand);
  return plain(ast::Unary{ast::UnaryOp::logical_not, std::move(operand.expr)}, plain_type(operand));
}

SqlExpr SqlWriter::emit_node(const IsNull& node) {
  auto operand = emit(*node.operand);
  return plain(ast::IsNull{std::move(operand.expr), node.negated}, plain_type(operand));
}

SqlExpr SqlWriter::emit_node(const IsTruth& node) {
  auto operand = emit(*node.operand);
  ast::Expr truth{ast::ColumnRef{{}, {}, {node.truth ? "TRUE" : "FALSE", ast::Quote::none}}, {}};
  return plain(
      ast::Binary{node.negated ? ast::BinaryOp::is_not : ast::BinaryOp::is, std::move(operand.expr), std::move(truth)},
      plain_type(operand));
}

SqlExpr SqlWriter::emit_node(const Between& node) {
  auto operand = emit(*node.operand);
  auto low = emit(*node.low);
  auto high = emit(*node.high);
  const auto low_how = in_effect(node.low_how, *node.operand, operand.type, *node.low, low.type);
  const auto high_how = in_effect(node.high_how, *node.operand, operand.type, *node.high, high.type);
  if (natural_comparison(operand.type, low.type) == low_how &&
      natural_comparison(operand.type, high.type) == high_how) {
    const auto type = plain_type(operand, low, high);
    return plain(ast::Between{std::move(operand.expr), node.negated, std::move(low.expr), std::move(high.expr)}, type);
  }
  And both;
  both.terms.push_back(compare(CompareOp::greater_equal, Expr(*node.operand), Expr(*node.low), node.low_how));
  both.terms.push_back(compare(CompareOp::less_equal, Expr(*node.operand), Expr(*node.high), node.high_how));
  auto comparisons = emit_node(both);
  if (!node.negated) return comparisons;
  return plain(ast::Unary{ast::UnaryOp::logical_not, std::move(comparisons.expr)}, comparisons.type);
}

SqlExpr SqlWriter::emit_node(const InList& node) {
  // Only the left side determines the comparison, as if each item had a unary plus.
  auto operand = emit(*node.operand);
  const auto natural = effective_affinity(operand.type.affinity);
  const auto is_same_for = [&](const Expr& side) {
    return !converts(side, natural, plan_) && !converts(side, node.how.affinity, plan_);
  };
  const bool same = is_same_for(*node.operand) && std::all_of(node.items.begin(), node.items.end(), is_same_for);
  if (natural != node.how.affinity && !same) {
    if (node.how.affinity == Affinity::none) {
      strip_affinity(operand);
    } else {
      lend_affinity(operand, node.how.affinity);
    }
  }
  operand = with_collation(std::move(operand), node.how.collation);
  const auto type = plain_type(operand);
  ast::In in;
  in.operand = std::move(operand.expr);
  in.negated = node.negated;
  auto items = emit_all(node.items);
  // From 3.41 on, SQLite takes a list of one subquery for the subquery.
  if (items.size() == 1 && items.front().is<ast::Subquery>())
    items.front() = ast::Expr{ast::Unary{ast::UnaryOp::plus, std::move(items.front())}, {}};
  in.set = std::move(items);
  return plain(std::move(in), type);
}

SqlExpr SqlWriter::emit_node(const Like& node) {
  auto operand = emit(*node.operand);
  auto pattern = emit(*node.pattern);
  const auto type = plain_type(operand, pattern);
  ast::Like like{node.op, std::move(operand.expr), node.negated, std::move(pattern.expr), {}};
  if (node.escape) like.escape = emit_ast(*node.escape);
  return plain(std::move(like), type);
}

SqlExpr SqlWriter::emit_node(const Case& node) {
  ast::Case result;
  ExprType type;
  const auto note = [&](const SqlExpr& part) {
    SqlExpr so_far{{}, type};
    type = plain_type(so_far, part);
  };
  bool natural = true;
  if (node.operand) {
    const auto operand = emit(*node.operand);
    for (const auto& branch : node.branches)
      natural = natural && natural_comparison(operand.type, emit(*branch.condition).type) == branch.how;
    if (natural) {
      note(operand);
      result.operand = operand.expr;
    }
  }
  for (const auto& branch : node.branches) {
    auto condition = natural
                         ? emit(*branch.condition)
                         : emit(compare(CompareOp::equal, Expr(*node.operand), Expr(*branch.condition), branch.how));
    auto value = emit(*branch.result);
    note(condition);
    note(value);
    result.branches.push_back({std::move(condition.expr), std::move(value.expr)});
  }
  if (node.otherwise) {
    auto value = emit(*node.otherwise);
    note(value);
    result.otherwise = std::move(value.expr);
  }
  return plain(std::move(result), type);
}

SqlExpr SqlWriter::emit_node(const Cast& node) {
  auto operand = emit(*node.operand);
  auto type = operand.type;  // CAST preserves the collation
  type.affinity = node.affinity;
  return plain(ast::Cast{std::move(operand.expr), std::string(node.type)}, type);
}

SqlExpr SqlWriter::emit_node(const Function& node) {
  if (node.info == nullptr && node.arguments.empty()) {
    if (node.name == "current_date") return plain(ast::Literal{ast::Literal::Kind::current_date, {}});
    if (node.name == "current_time") return plain(ast::Literal{ast::Literal::Kind::current_time, {}});
    if (node.name == "current_timestamp") return plain(ast::Literal{ast::Literal::Kind::current_timestamp, {}});
  }
  ast::Call call;
  call.name = sql_name(node.name);
  ExprType type;
  std::vector<SqlExpr> arguments;
  for (const auto& argument : node.arguments) arguments.push_back(emit(argument));
  if (node.name == "min" || node.name == "max" || node.name == "nullif") {
    std::string_view natural = binary_collation;
    for (const auto& argument : arguments) {
      if (argument.type.collation.strength == Strength::none) continue;
      natural = canonical_collation(argument.type.collation.name);
      break;
    }
    if (natural != node.collation) {
      auto& first = arguments.front();
      first.expr = ast::Expr{ast::Collate{std::move(first.expr), sql_name(node.collation)}, {}};
      first.type.collation = {node.collation, Strength::collate};
    }
  }
  for (auto& argument : arguments) {
    SqlExpr so_far{{}, type};
    type = plain_type(so_far, argument);
    call.arguments.push_back(std::move(argument.expr));
  }
  return plain(std::move(call), type);
}

SqlExpr SqlWriter::emit_node(const Row& node) { return plain(ast::Row{emit_all(node.elements)}); }

ast::Query SqlWriter::subquery(const Rel& rel, std::vector<ExprType>* types) {
  auto block = convert(rel);
  // As an operand, a compound query has the affinity of its last arm; in FROM, that of the first.
  if (!block.arms.empty()) block = wrap(std::move(block), rel);
  return finish(std::move(block), outputs(rel), nullptr, types);
}

ast::Query SqlWriter::compared_subquery(const Rel& rel, std::vector<SqlExpr>& left,
                                        const std::vector<Comparison>& how) {
  std::vector<ExprType> types;
  auto query = subquery(rel, &types);
  for (std::size_t i = 0; i < left.size(); ++i) {
    SqlExpr right{ast::Expr{ast::Literal{}, {}}, types[i]};
    adjust(left[i], right, how[i]);
    if (right.type.affinity == types[i].affinity) continue;
    // The column has an affinity that the comparison must not see.
    auto& item = query.arms.front().select()->items[i];
    auto stripped = std::move(*item.expr());
    item.value = ast::Expr{ast::Unary{ast::UnaryOp::plus, std::move(stripped)}, {}};
  }
  return query;
}

SqlExpr SqlWriter::emit_node(const ScalarSubquery& node) {
  std::vector<ExprType> types;
  auto query = subquery(*node.rel, &types);
  ExprType type;  // the affinity of its column, but no collation
  if (types.size() == 1) type.affinity = types.front().affinity;
  return plain(ast::Subquery{std::move(query)}, type);
}

SqlExpr SqlWriter::emit_node(const Exists& node) {
  auto block = convert(*node.rel);
  const auto ids = block.fixed.value_or(std::vector<AttributeId>());
  auto exists = plain(ast::Exists{finish(std::move(block), ids)});
  if (!node.negated) return exists;
  return plain(ast::Unary{ast::UnaryOp::logical_not, std::move(exists.expr)});
}

SqlExpr SqlWriter::emit_node(const InSubquery& node) {
  std::vector<SqlExpr> operands;
  for (const auto& operand : node.operands) operands.push_back(emit(operand));
  ast::In in;
  in.negated = node.negated;
  if (node.operands.size() == node.how.size()) {
    in.set = ast::Box<ast::Query>(compared_subquery(*node.rel, operands, node.how));
  } else {
    in.set = ast::Box<ast::Query>(subquery(*node.rel, nullptr));
  }
  if (operands.size() == 1) {
    in.operand = std::move(operands.front().expr);
  } else {
    ast::Row row;
    for (auto& operand : operands) row.elements.push_back(std::move(operand.expr));
    in.operand = ast::Expr{std::move(row), {}};
  }
  return plain(std::move(in));
}

}  // namespace trustsql::plan
