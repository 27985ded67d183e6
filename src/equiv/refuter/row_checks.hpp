// The CHECK constraints of the tables, evaluated on rows before SQLite sees them.
//
// SQLite rejects a row that violates a CHECK, and the children of that row are then orphans: a counterexample that
// should obey the schema does not. So the generators of small databases ask first.
#pragma once

#include <optional>
#include <vector>

#include "base/function_ref.hpp"
#include "equiv/refuter/data_model.hpp"
#include "equiv/refuter/instance.hpp"
#include "plan/evaluate.hpp"
#include "plan/plan.hpp"
#include "plan/table_checks.hpp"

namespace trustsql::equiv {

// The truth value of `expr` where `value_of(id)` replaces each column for which it is not nullptr; nullopt if it cannot
// be computed here.
std::optional<plan::Truth> truth_with_values(plan::Expr expr,
                                             FunctionRef<const plan::Expr*(plan::AttributeId)> value_of);

class RowChecks {
 public:
  RowChecks() = default;
  RowChecks(RowChecks&&) = default;
  RowChecks& operator=(RowChecks&&) = default;
  // The tables of the model must outlive the object.
  explicit RowChecks(const DataModel& model);

  // Both say false only if SQLite would reject the row: a constraint whose value cannot be computed here allows all.
  // Whether the constraints on this column alone allow `value`.
  bool allow(std::size_t table, std::size_t column, const Value& value) const;
  // Whether all constraints allow the row.
  bool allow(std::size_t table, const DataRow& row) const;

 private:
  struct Check {
    const plan::Expr* condition;
    std::vector<std::pair<plan::AttributeId, std::size_t>> columns;  // with their places in the model
  };
  struct TableChecks {
    plan::TableChecks declared;
    std::vector<Affinity> affinities;  // by place: a CHECK sees what is stored
    std::vector<Check> checks;
  };

  std::vector<TableChecks> tables_;  // in the order of DataModel::tables
};

}  // namespace trustsql::equiv
