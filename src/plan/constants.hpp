// Constants: what SQLite takes for one when it puts constants in the place of columns (propagateConstants()), for the
// patterns of its bugs (sqlite_bug_patterns.hpp).
//
//   x IS NOT NULL      of a column that is never NULL: a literal, once SQLite has resolved it (resolveExprStep())
//   y                  a column of a subquery that stands for a constant, or that a condition equates with one
//   y - 4              what is made of such columns
#pragma once

#include "plan/equal_columns.hpp"
#include "plan/plan.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// The columns of outer queries that a subquery uses but for null tests of columns that are never NULL.
AttributeSet free_attributes_but_null_tests(const Rel& rel, const Plan& plan);

class Constants {
 public:
  explicit Constants(const Plan& plan);

  // Whether the expression is constant; not so a column that is constant only by a condition, since SQLite leaves that
  // where it is for its affinity.
  bool is_constant(const Expr& expr) const;
  // Whether a column that may be equal to `column` satisfies `holds`, or `column` itself does.
  template <class Holds>
  bool any_equal(AttributeId column, const Holds& holds) const {
    return equal_.any(column, holds);
  }
  // Whether the expression uses `column`, or a column that may be equal to it.
  bool uses_equal(const Expr& expr, AttributeId column) const;

 private:
  bool is_made_of_constants(const Expr& expr) const;

  const Plan& plan_;
  EqualColumns equal_;
  AttributeSet projected_{};  // stand for constants
  AttributeSet constants_{};  // these, and those that conditions equate with constants
};

// Calls `visit(column, constant, conjunct)` for each condition on rows of FROM that a column is equal to a constant.
template <class Visit>
void visit_equations(const Plan& plan, const Constants& constants, const Visit& visit) {
  const auto look = [&](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts)
      visit_equated(conjunct, [&](const Expr& side, const Expr& other) {
        if (const auto* id = column_id(side); id != nullptr && constants.is_constant(other))
          visit(*id, other, conjunct);
      });
  };
  visit_conditions(plan, look);
}

}  // namespace trustsql::plan
