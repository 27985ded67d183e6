#include "plan/rules/single_group.hpp"

namespace trustsql::plan::rules {

namespace {

bool ungroup_single(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || !aggregate->keys.empty() || aggregate->calls.empty()) return false;
  if (!context.facts(*aggregate->input).non_empty) return false;
  aggregate->grouped = false;
  return true;
}

}  // namespace

const Rule single_group{
    .name = "single_group",
    .kinds = rel_kinds<Aggregate>,
    .apply = ungroup_single,
    .example = single_group_example,
};

}  // namespace trustsql::plan::rules
