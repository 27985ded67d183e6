#include "plan/rules/sort_removal.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_sort(Rel& rel, const Usage& usage, RuleContext&) {
  if (usage.order != Usage::Order::unseen) return false;
  replace_by_descendant(rel, *rel.as<Sort>()->input);
  return true;
}

}  // namespace

const Rule sort_removal{
    .name = "sort_removal",
    .kinds = rel_kinds<Sort>,
    .apply = remove_sort,
    .example = sort_removal_example,
};

}  // namespace trustsql::plan::rules
