#include "plan/rules/distinct_removal.hpp"

#include <algorithm>

namespace trustsql::plan::rules {

namespace {

bool remove_distinct(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* distinct = rel.as<Distinct>();
  if (!distinct->collations.empty()) return false;
  if (usage.duplicates_matter && !context.superkey(output_set(*distinct->input), context.facts(*distinct->input)))
    return false;
  replace_by_descendant(rel, *distinct->input);
  return true;
}

}  // namespace

const Rule distinct_removal{
    .name = "distinct_removal",
    .kinds = rel_kinds<Distinct>,
    .apply = remove_distinct,
    .example = distinct_removal_example,
};

}  // namespace trustsql::plan::rules
