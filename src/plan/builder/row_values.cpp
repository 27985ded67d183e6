// Comparisons of row values: (a, b) < (c, d) and the like (https://sqlite.org/rowvalue.html).
#include <algorithm>

#include "plan/builder/builder.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

bool Builder::is_row(const ast::Expr& expr) const {
  if (expr.is<ast::Row>()) return true;
  const auto* subquery = expr.as<ast::Subquery>();
  return subquery != nullptr && resolution_.query(*subquery->query).columns.size() > 1;
}

std::vector<ExprType> Builder::element_types(const ast::Expr& expr) const {
  std::vector<ExprType> result;
  if (const auto* row = expr.as<ast::Row>()) {
    for (const auto& element : row->elements) result.push_back(resolution_.type(element));
  } else if (const auto* subquery = expr.as<ast::Subquery>()) {
    // In a comparison a compound query has the types of its last arm.
    for (const auto& column : resolution_.query(*subquery->query).arms.back()->columns) result.push_back(column.type);
  } else {
    result.push_back(resolution_.type(expr));
  }
  return result;
}

namespace {

// How many expressions a comparison of these rows by lexicographic order consists of, and their elements.
std::size_t size_of_order(const Row& left, const Row& right) {
  const auto count = std::min(left.elements.size(), right.elements.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i)
    size += (count - i) * (1 + size_of(left.elements[i]) + size_of(right.elements[i]));
  return size;
}

}  // namespace

Expr Builder::build_row_compare(CompareOp op, const ast::Expr& left, const ast::Expr& right) {
  const auto left_types = element_types(left);
  const auto right_types = element_types(right);
  std::vector<Comparison> how;
  for (std::size_t i = 0; i < std::min(left_types.size(), right_types.size()); ++i)
    how.push_back(comparison(left_types[i], right_types[i]));
  Expr built_left = build_expr(left);
  Expr built_right = build_expr(right);
  auto* left_row = built_left.as<Row>();
  auto* right_row = built_right.as<Row>();
  if (left_row == nullptr || right_row == nullptr)
    return {RowCompare{op, std::move(how), std::move(built_left), std::move(built_right)}};

  const auto count = how.size();
  const auto element = [&](std::size_t i, CompareOp element_op) {
    return compare(element_op, Expr(left_row->elements[i]), Expr(right_row->elements[i]), how[i]);
  };
  std::vector<Expr> parts;
  switch (op) {
    case CompareOp::equal:
    case CompareOp::is:
    case CompareOp::not_equal:
    case CompareOp::is_not:
      for (std::size_t i = 0; i < count; ++i) parts.push_back(element(i, op));
      return op == CompareOp::equal || op == CompareOp::is ? conjunction(std::move(parts))
                                                           : disjunction(std::move(parts));
    default: break;
  }
  // Lexicographic order: (a, b) < (c, d) is a < c OR (a = c AND b < d), with NULL in the same cases
  // (https://sqlite.org/rowvalue.html). This form evaluates elements twice. Rows in rows would double it again and
  // again.
  constexpr std::size_t most_copied = 20'000;
  copied_ += size_of_order(*left_row, *right_row);
  if (copied_ > most_copied || is_volatile(built_left) || is_volatile(built_right) || has_subquery(built_left) ||
      has_subquery(built_right)) {
    return {RowCompare{op, std::move(how), std::move(built_left), std::move(built_right)}};
  }
  const auto strictly = op == CompareOp::less_equal      ? CompareOp::less
                        : op == CompareOp::greater_equal ? CompareOp::greater
                                                         : op;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Expr> all;
    for (std::size_t j = 0; j < i; ++j) all.push_back(element(j, CompareOp::equal));
    all.push_back(element(i, i + 1 == count ? op : strictly));
    parts.push_back(conjunction(std::move(all)));
  }
  return disjunction(std::move(parts));
}

Expr Builder::build_row_between(const ast::Between& node) {
  constexpr int deepest = 4;
  if (row_betweens_ == deepest) {
    fail("BETWEEN with row values is nested too deeply");
    return literal({});
  }
  ++row_betweens_;
  std::vector<Expr> both;
  both.push_back(build_row_compare(CompareOp::greater_equal, *node.operand, *node.low));
  both.push_back(build_row_compare(CompareOp::less_equal, *node.operand, *node.high));
  --row_betweens_;
  auto built = conjunction(std::move(both));
  return node.negated ? negation(std::move(built)) : built;
}

}  // namespace trustsql::plan
