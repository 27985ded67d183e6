// Equal columns: what SQLite infers of one column from conditions on another (whereScanNext(), propagateConstants()),
// for the patterns of its bugs (sqlite_bug_patterns.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// Calls `visit(left, right, how)` for each pair of values that a comparison of row values compares, where the one side
// may be a subquery: (x, y) = (SELECT ...).
template <class Visit>
void visit_row_pairs(const RowCompare& rows, const Visit& visit) {
  const auto elements = [](const Expr& side) {
    std::vector<Expr> found;
    if (const auto* row = side.as<Row>()) found = row->elements;
    if (const auto* subquery = side.as<ScalarSubquery>())
      for (const auto id : outputs(*subquery->rel)) found.push_back(column(id));
    return found;
  };
  const auto left = elements(*rows.left);
  const auto right = elements(*rows.right);
  for (std::size_t i = 0; i < left.size() && i < right.size() && i < rows.how.size(); ++i)
    visit(left[i], right[i], rows.how[i]);
}

// Calls `visit(a, b)` and `visit(b, a)` if the condition equates two values by `=`, IS or IN with one item.
template <class Visit>
void visit_equated(const Expr& condition, const Visit& visit) {
  const auto both = [&visit](const Expr& a, const Expr& b) {
    visit(a, b);
    visit(b, a);
  };
  if (const auto* list = condition.as<InList>(); list != nullptr && list->items.size() == 1 && !list->negated)
    both(*list->operand, list->items.front());
  const auto* compare = condition.as<Compare>();
  if (compare != nullptr && (compare->op == CompareOp::equal || compare->op == CompareOp::is))
    both(*compare->left, *compare->right);
}

// Calls `visit(conjuncts)` for each WHERE, HAVING and ON.
template <class Visit>
void visit_conditions(const Plan& plan, const Visit& visit) {
  walk(plan.root, [&](const Filter& filter) { visit(filter.conjuncts); });
  walk(plan.root, [&](const Join& join) { visit(join.on); });
  walk(plan.root, [&](const Apply& apply) { visit(apply.on); });
}

// Disjoint sets of columns.
class ColumnSets {
 public:
  explicit ColumnSets(std::size_t columns);

  // A column that stands for the set of `id`.
  AttributeId find(AttributeId id);
  AttributeId find(AttributeId id) const;
  void unite(AttributeId a, AttributeId b) { parents_[find(a)] = find(b); }

 private:
  std::vector<AttributeId> parents_;
};

// The columns that `=`, IS or IN with one item equates anywhere in a plan, and those of subqueries that pass them on.
class EqualColumns {
 public:
  explicit EqualColumns(const Plan& plan);

  // Whether `holds(id)` for a column that may be equal to `column`, or for itself.
  template <class Holds>
  bool any(AttributeId column, const Holds& holds) const {
    const auto set = sets_.find(column);
    for (AttributeId id = 0; id < count_; ++id)
      if (sets_.find(id) == set && holds(id)) return true;
    return false;
  }

 private:
  std::size_t count_;
  ColumnSets sets_;
};

}  // namespace trustsql::plan
