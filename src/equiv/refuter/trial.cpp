#include "equiv/refuter/trial.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"

namespace trustsql::equiv {

Status Trial::fill(const Instance& instance) {
  for (std::size_t t = 0; t < model_.tables.size(); ++t)
    TRUSTSQL_RETURN_IF_ERROR(scratch_.fill(*model_.tables[t].table, model_.tables[t].positions(), instance.tables[t]));
  return ok_status();
}

Result<Observation> Trial::observe() {
  ++runs_;
  Observation observation;
  for (const bool first : {true, false}) {
    auto rows = scratch_.run(first ? a_ : b_);
    if (!rows.ok()) {
      if (scratch_.reached_limit()) ++timeouts_;
      const auto code = rows.error().code;
      if (code == ErrorCode::interrupted || code == ErrorCode::out_of_memory) return std::move(rows).error();
      observation.failure = std::move(rows).error().message;
      return observation;
    }
    (first ? observation.a : observation.b) = *std::move(rows);
  }
  observation.ran = true;
  observation.difference = result_difference(observation.a, observation.b, how_);
  return observation;
}

Result<Instance> Trial::stored() {
  Instance instance;
  for (const auto& table : model_.tables) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, scratch_.rows(*table.table, table.positions()));
    instance.tables.push_back(std::move(rows));
  }
  return instance;
}

Result<Deviations> Trial::deviations_of_computed(const Instance& instance) {
  Deviations deviations;
  if (std::ranges::all_of(model_.tables, [](const TableModel& table) { return table.computed.empty(); }))
    return deviations;
  TRUSTSQL_RETURN_IF_ERROR(fill(instance));
  for (const auto& table : model_.tables) {
    if (table.computed.empty()) continue;
    std::string sql;
    for (const auto& column : table.computed)
      sql += (sql.empty() ? "SELECT " : ", ") +
             quote_identifier(table.table->columns[static_cast<std::size_t>(column.position)].name);
    sql += " FROM " + quote_identifier(table.table->schema) + "." + quote_identifier(table.table->name);
    auto query = scratch_.prepare(sql);
    auto result = query.ok() ? scratch_.run(*query) : Result<ResultSet>(std::move(query).error());
    if (!result.ok()) {
      if (ends_the_call(result.error().code)) return std::move(result).error();
      // Values that cannot be computed are not what anybody assumes.
      return deviations | Deviations{Deviation::null, Deviation::type, Deviation::affinity};
    }
    const auto& rows = *result;
    for (std::size_t row = 0; row < rows.row_count(); ++row)
      for (std::size_t i = 0; i < table.computed.size(); ++i) {
        const auto value = to_value(rows.at(row, i));
        if (view(value).is_null()) {
          deviations.add(Deviation::null);
          continue;
        }
        if (!is_of_kind(value, table.computed[i].kind)) deviations.add(Deviation::type);
        if (!is_read_as(value, table.computed[i].reading)) deviations.add(Deviation::affinity);
      }
  }
  return deviations;
}

}  // namespace trustsql::equiv
