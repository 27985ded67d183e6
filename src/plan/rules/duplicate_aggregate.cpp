#include "plan/rules/duplicate_aggregate.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool compute_once(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (usage.positional || aggregate->has_bare_columns()) return false;
  auto& calls = aggregate->calls;
  for (auto call = calls.begin(); call != calls.end(); ++call) {
    const auto same = std::find_if(calls.begin(), call, [&](AggregateCall other) {
      other.id = call->id;
      return other == *call;
    });
    if (same == call || !std::all_of(call->arguments.begin(), call->arguments.end(), is_repeatable) ||
        (call->filter && !is_repeatable(*call->filter)))
      continue;
    context.rename_later({{call->id, same->id}});
    calls.erase(call);
    return true;
  }
  return false;
}

}  // namespace

const Rule duplicate_aggregate{
    .name = "duplicate_aggregate",
    .kinds = rel_kinds<Aggregate>,
    .apply = compute_once,
    .example = duplicate_aggregate_example,
};

}  // namespace trustsql::plan::rules
