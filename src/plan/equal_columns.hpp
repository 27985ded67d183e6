// Equal columns: what SQLite infers of one column from conditions on another (whereScanNext(), propagateConstants()),
// for the patterns of its bugs (sqlite_bug_patterns.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::plan {

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
