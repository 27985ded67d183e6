#include "equiv/checker/aggregates.hpp"

#include <algorithm>

namespace trustsql::equiv::checker {

using namespace plan;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool skips_nulls(const AggregateCall& call) {
  return call.info != nullptr && is_one_of(call.name, {"count", "sum", "avg", "total", "min", "max"});
}

Value value_over_no_rows(const AggregateCall& call) {
  if (call.name == "count") return std::int64_t{0};
  if (call.name == "total") return 0.0;
  return {};
}

Expr contribution(const AggregateCall& call) {
  Expr value = call.arguments.empty() ? literal(std::int64_t{1}) : call.arguments.front();
  if (!call.filter) return value;
  Case choice;
  choice.branches.push_back({*call.filter, std::move(value), {}});
  return Expr{std::move(choice)};
}

const GroupKey* key_of(const Aggregate& aggregate, AttributeId id) {
  const auto key_of_id =
      std::find_if(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) { return key.id == id; });
  return key_of_id != aggregate.keys.end() ? &*key_of_id : nullptr;
}

const AggregateCall* call_of(const Aggregate& aggregate, AttributeId id) {
  const auto call_of_id = std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                                       [&](const AggregateCall& call) { return call.id == id; });
  return call_of_id != aggregate.calls.end() ? &*call_of_id : nullptr;
}

}  // namespace trustsql::equiv::checker
