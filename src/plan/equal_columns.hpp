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

// Disjoint sets of columns.
class ColumnSets {
 public:
  explicit ColumnSets(std::size_t columns);

  // A column that stands for the set of `id`.
  AttributeId find(AttributeId id);
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
  bool any(AttributeId column, const Holds& holds) {
    for (AttributeId id = 0; id < count_; ++id)
      if (sets_.find(id) == sets_.find(column) && holds(id)) return true;
    return false;
  }

 private:
  std::size_t count_;
  ColumnSets sets_;
};

}  // namespace trustsql::plan
