#include "plan/rules/derived_table_inlining.hpp"

namespace trustsql::plan::rules {

namespace {

// Removes a sort at the top, below projections.
void drop_sort(Rel& rel) {
  if (auto* project = rel.as<Project>()) {
    drop_sort(*project->input);
  } else if (auto* sort = rel.as<Sort>()) {
    replace_by_descendant(rel, *sort->input);
  }
}

bool inline_derived(Rel& rel, const Usage& usage, RuleContext&) {
  auto* derived = rel.as<Derived>();
  if (derived->definition >= 0 && is_volatile(*derived->input)) return false;
  if (usage.order != Usage::Order::used) drop_sort(*derived->input);
  replace_by_descendant(rel, *derived->input);
  return true;
}

}  // namespace

const Rule derived_table_inlining{
    .name = "derived_table_inlining",
    .kinds = rel_kinds<Derived>,
    .apply = inline_derived,
    .example = derived_table_inlining_example,
};

}  // namespace trustsql::plan::rules
