#include "plan/rules/aggregate_filter.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// For a group, which has rows: sum(p) = count(*) FILTER (WHERE p) if p is 0 or 1.
bool turn_sum_into_count(AggregateCall& call, Expr condition) {
  const auto* info = FunctionTable::latest().find("count", 0);
  // An existing filter may exclude all rows: SUM then has none.
  if (info == nullptr || call.filter) return false;
  call.name = info->name;
  call.info = info;
  call.arguments.clear();
  call.filter = std::move(condition);
  return true;
}

bool move_case_to_filter(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  const bool bare = aggregate->has_bare_columns();
  bool changed = false;
  for (auto& call : aggregate->calls) {
    if (call.info == nullptr || call.arguments.size() != 1) continue;
    if (call.name == "sum" && aggregate->grouped && !call.distinct) {
      auto condition = summed_condition(call, *aggregate->input, context);
      if (condition && turn_sum_into_count(call, *std::move(condition))) {
        changed = true;
        continue;
      }
    }
    auto* choice = call.arguments.front().as<Case>();
    if (choice == nullptr || choice->operand || choice->branches.size() != 1) continue;
    // CASE WHEN p THEN NULL ELSE x END skips the rows in which p is true.
    const bool skips_chosen = choice->otherwise && is_null_literal(*choice->branches.front().result);
    const bool skips = skips_chosen || !choice->otherwise || is_null_literal(*choice->otherwise);
    const bool chooses = call.name == "min" || call.name == "max";
    const bool known =
        chooses || call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total";
    if (!skips || !known || (bare && chooses)) continue;
    Expr condition = std::move(*choice->branches.front().condition);
    if (skips_chosen) condition = Expr{IsTruth{std::move(condition), true, true}};
    Expr result = std::move(skips_chosen ? *choice->otherwise : *choice->branches.front().result);
    call.arguments.front() = std::move(result);
    if (call.filter) {
      std::vector<Expr> both;
      both.push_back(std::move(*call.filter));
      both.push_back(std::move(condition));
      condition = conjunction(std::move(both));
    }
    call.filter = std::move(condition);
    changed = true;
  }
  return changed;
}

}  // namespace

const Rule aggregate_filter{
    .name = "aggregate_filter",
    .kinds = rel_kinds<Aggregate>,
    .apply = move_case_to_filter,
    .example = aggregate_filter_example,
};

}  // namespace trustsql::plan::rules
