#include "plan/rules/sort_removal.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove(Rel& rel, const Usage& usage, RuleContext&) {
  if (usage.order != Usage::Order::unseen) return false;
  replace_by_descendant(rel, *rel.as<Sort>()->input);
  return true;
}

}  // namespace

const Rule sort_removal{
    .name = "sort_removal",
    .kinds = rel_kinds<Sort>,
    .on_use = remove,
};

}  // namespace trustsql::plan::rules
