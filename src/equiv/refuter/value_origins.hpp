// The table columns that the expressions of a plan get their values from.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equiv/refuter/data_model.hpp"
#include "equiv/refuter/json_shape.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// What an expression takes apart as JSON: json_extract(document, '$.a'), document -> 'a', json(document) ...
struct JsonAccess {
  const plan::Expr* document = nullptr;
  JsonPath path{};  // of what it takes, as far as constants tell; of what it changes, the whole document
};
std::optional<JsonAccess> json_access(const plan::Expr& expr);
// The same for json_each and json_tree, whose rows are the members of what they take.
std::optional<JsonAccess> json_access(const plan::TableFunction& function);

// Finds the column from which an expression takes its values: through projections, aggregates, set operations, casts
// and functions, as long as there is a single one; and which part of it, if it is a JSON document.
class ColumnOrigins {
 public:
  // Both must outlive the object.
  ColumnOrigins(const plan::Plan& plan, const DataModel& model);

  using Origin = ColumnOrigin;
  std::optional<Origin> of(const plan::Expr& expr) const { return of(expr, 0); }
  std::optional<Origin> of(plan::AttributeId id) const { return of(id, 0); }

 private:
  struct Member {
    JsonAccess access{};
    bool is_key = false;
  };

  void note(const plan::Rel& rel);
  void note(const plan::Expr& expr);
  std::optional<Origin> of(const plan::Expr& expr, int depth) const;
  std::optional<Origin> of(plan::AttributeId id, int depth) const;
  std::optional<Origin> find(plan::AttributeId id, int depth) const;
  std::optional<Origin> of_part(const JsonAccess& access, int depth) const;

  const plan::Plan& plan_;
  const DataModel& model_;
  std::unordered_map<plan::AttributeId, const plan::Expr*> definitions_;
  std::unordered_map<plan::AttributeId, plan::AttributeId> first_branch_;  // for the columns of a set operation
  std::unordered_map<plan::AttributeId, Member> members_;                  // for the columns of json_each
  mutable std::unordered_map<plan::AttributeId, std::optional<Origin>> known_;
};

// Finds out from which columns the generated columns of the model's tables take their values.
void trace_generated_columns(DataModel& model, const Catalog& catalog);

// What the CHECK constraints and the generated columns of a table compute, as a query; empty if it has none.
std::string query_of_declarations(const trustsql::Table& table, bool with_checks);

}  // namespace trustsql::equiv
