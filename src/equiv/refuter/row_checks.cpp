#include "equiv/refuter/row_checks.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Computes `expr` bottom-up. Returns whether it became a literal.
bool fold_to_literal(Expr& expr) {
  if (expr.is<Literal>()) return true;
  bool all = true;
  for_each_expr(expr, [&](Expr& operand) { all = fold_to_literal(operand) && all; });
  if (!all) return false;
  auto value = evaluate(expr);
  if (!value) return false;
  expr = literal(*std::move(value));
  return true;
}

// The value as a column stores it.
Value stored_as(const Value& value, Affinity affinity) {
  auto converted = apply_affinity(value, affinity);
  return converted ? *std::move(converted) : value;
}

}  // namespace

std::optional<Truth> truth_with_values(Expr expr, FunctionRef<const Expr*(AttributeId)> value_of) {
  substitute(expr, value_of);
  if (!fold_to_literal(expr)) return std::nullopt;
  const auto* value = literal_value(expr);
  return value != nullptr ? truth_of(*value) : std::nullopt;
}

RowChecks::RowChecks(const DataModel& model) {
  tables_.reserve(model.tables.size());
  for (const auto& table : model.tables) {
    auto& own = tables_.emplace_back(TableChecks{plan::TableChecks(*table.table), {}, {}});
    for (const auto& column : table.columns)
      own.affinities.push_back(table.table->columns[static_cast<std::size_t>(column.position)].affinity);
    for (const auto& declared : own.declared.all()) {
      Check check{&declared.condition, {}};
      for (const auto& [id, position] : declared.columns) {
        const int place = table.place_of(position);
        if (place >= 0) check.columns.emplace_back(id, static_cast<std::size_t>(place));
      }
      if (check.columns.size() == declared.columns.size()) own.checks.push_back(std::move(check));
    }
  }
}

bool RowChecks::allow(std::size_t table, std::size_t column, const Value& value) const {
  if (table >= tables_.size() || tables_[table].checks.empty()) return true;
  const Expr given = literal(stored_as(value, tables_[table].affinities[column]));
  return std::ranges::all_of(tables_[table].checks, [&](const Check& check) {
    if (!std::ranges::all_of(check.columns, [&](const auto& each) { return each.second == column; })) return true;
    return truth_with_values(*check.condition, [&](AttributeId) { return &given; }) != Truth::no;
  });
}

bool RowChecks::allow(std::size_t table, const DataRow& row) const {
  if (table >= tables_.size()) return true;
  const auto& known = tables_[table];
  return std::ranges::all_of(known.checks, [&](const Check& check) {
    std::vector<Expr> values;
    values.reserve(check.columns.size());
    for (const auto& [id, place] : check.columns)
      values.push_back(literal(stored_as(row[place], known.affinities[place])));
    return truth_with_values(*check.condition, [&](AttributeId id) -> const Expr* {
             for (std::size_t i = 0; i < values.size(); ++i) {
               if (check.columns[i].first == id) return &values[i];
             }
             return nullptr;
           }) != Truth::no;
  });
}

}  // namespace trustsql::equiv
