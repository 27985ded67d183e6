#include "equiv/refuter/trial.hpp"

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

}  // namespace trustsql::equiv
