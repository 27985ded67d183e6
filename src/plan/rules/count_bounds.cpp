#include "plan/rules/count_bounds.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The result of `count op bound` for every count of at least `least`; nullopt if it depends on the count.
std::optional<bool> decided(CompareOp op, std::int64_t bound, std::int64_t least) {
  switch (op) {
    case CompareOp::greater_equal: return bound <= least ? std::optional(true) : std::nullopt;
    case CompareOp::greater:
    case CompareOp::not_equal: return bound < least ? std::optional(true) : std::nullopt;
    case CompareOp::less: return bound <= least ? std::optional(false) : std::nullopt;
    case CompareOp::less_equal:
    case CompareOp::equal: return bound < least ? std::optional(false) : std::nullopt;
    default: return std::nullopt;
  }
}

bool decide(Rel& rel, RuleContext&) {
  auto* filter = rel.as<Filter>();
  const auto* aggregate = filter->input->as<Aggregate>();
  if (aggregate == nullptr) return false;
  const auto decide_conjunct = [&](const Expr& conjunct) -> std::optional<bool> {
    const auto bound = as_bound(conjunct);
    const auto* id = bound ? column_id(*bound->operand) : nullptr;
    const auto* value = id != nullptr ? std::get_if<std::int64_t>(bound->value) : nullptr;
    if (value == nullptr || bound->how.affinity == Affinity::text) return std::nullopt;
    const auto call = std::find_if(aggregate->calls.begin(), aggregate->calls.end(),
                                   [&](const AggregateCall& each) { return each.id == *id; });
    if (call == aggregate->calls.end() || call->name != "count" || call->info == nullptr) return std::nullopt;
    const bool of_rows = aggregate->grouped && call->arguments.empty() && !call->filter;
    return decided(bound->op, *value, of_rows ? 1 : 0);
  };
  bool changed = false;
  std::vector<Expr> undecided;
  for (auto& conjunct : filter->conjuncts) {
    const auto truth = decide_conjunct(conjunct);
    changed = changed || truth.has_value();
    if (!truth) undecided.push_back(std::move(conjunct));
    if (truth == false) undecided.push_back(literal(std::int64_t{0}));
  }
  filter->conjuncts = std::move(undecided);
  drop_if_empty(rel);
  return changed;
}

}  // namespace

const Rule count_bounds{
    .name = "count_bounds",
    .kinds = rel_kinds<Filter>,
    .apply = decide,
    .example = count_bounds_example,
};

}  // namespace trustsql::plan::rules
