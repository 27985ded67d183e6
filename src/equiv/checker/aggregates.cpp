#include "equiv/checker/aggregates.hpp"

#include <algorithm>

#include "equiv/checker/agreement.hpp"
#include "plan/walk.hpp"

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

bool is_plain_count(const AggregateCall* call) {
  return call != nullptr && call->name == "count" && call->info != nullptr && !call->distinct;
}

bool ignores_row_of_nulls(const AggregateCall& call, const AttributeSet& nulls, const Given& given) {
  Expr added = contribution(call);
  const Expr null = literal({});
  substitute(added, [&](AttributeId id) { return nulls.contains(id) ? &null : nullptr; });
  return !is_volatile(added) && agree(added, null, false, {}, given);
}

const Aggregate* groups_under(const Rel& rel) {
  const Rel* below = &rel;
  while (const auto* filter = below->as<Filter>()) below = filter->input.get();
  return below->as<Aggregate>();
}

bool adds_calls(const Rel& before, const Rel& after) {
  const auto* filter = before.as<Filter>();
  const auto* filter_after = after.as<Filter>();
  if (filter != nullptr && filter_after != nullptr)
    return filter->conjuncts == filter_after->conjuncts && adds_calls(*filter->input, *filter_after->input);
  const auto* groups = before.as<Aggregate>();
  const auto* groups_after = after.as<Aggregate>();
  if (groups == nullptr || groups_after == nullptr || groups->calls.size() > groups_after->calls.size()) return false;
  const bool kept = std::equal(groups->calls.begin(), groups->calls.end(), groups_after->calls.begin());
  return kept && groups->grouped == groups_after->grouped && groups->keys == groups_after->keys &&
         *groups->input == *groups_after->input;
}

Expr counted_by(const AggregateCall& count) {
  Case added;
  added.branches.push_back({is_null(contribution(count), true), literal(std::int64_t{1}), {}});
  added.otherwise = literal(std::int64_t{0});
  return Expr{std::move(added)};
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
