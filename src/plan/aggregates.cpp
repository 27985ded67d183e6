#include "plan/aggregates.hpp"

namespace trustsql::plan {

bool is_basic(const AggregateCall& call) { return value_over_empty_input(call).has_value(); }

std::optional<Value> value_over_empty_input(const AggregateCall& call) {
  if (call.info == nullptr) return std::nullopt;
  if (call.name == "count") return Value(std::int64_t{0});
  if (call.name == "total") return Value(0.0);
  if (call.name == "sum" || call.name == "avg" || call.name == "min" || call.name == "max") return Value{};
  return std::nullopt;
}

}  // namespace trustsql::plan
