// The table columns that the expressions of a plan get their values from.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equiv/refuter/data_model.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// Finds the column from which an expression takes its values: through projections, aggregates, set operations, casts
// and functions, as long as there is a single one.
class ColumnOrigins {
 public:
  // Both must outlive the object.
  ColumnOrigins(const plan::Plan& plan, const DataModel& model);

  struct Origin {
    std::size_t table = 0;  // index in the model
    std::size_t column = 0;
    friend bool operator==(const Origin&, const Origin&) = default;
  };
  std::optional<Origin> of(const plan::Expr& expr) const { return of(expr, 0); }
  std::optional<Origin> of(plan::AttributeId id) const { return of(id, 0); }

 private:
  void note(const plan::Rel& rel);
  void note(const plan::Expr& expr);
  std::optional<Origin> of(const plan::Expr& expr, int depth) const;
  std::optional<Origin> of(plan::AttributeId id, int depth) const;
  std::optional<Origin> find(plan::AttributeId id, int depth) const;

  const plan::Plan& plan_;
  const DataModel& model_;
  std::unordered_map<plan::AttributeId, const plan::Expr*> definitions_;
  std::unordered_map<plan::AttributeId, plan::AttributeId> first_branch_;  // for the columns of a set operation
  mutable std::unordered_map<plan::AttributeId, std::optional<Origin>> known_;
};

}  // namespace trustsql::equiv
