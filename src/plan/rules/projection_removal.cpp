#include "plan/rules/projection_removal.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_projection(Rel& rel, const Usage& usage, RuleContext&) {
  auto* project = rel.as<Project>();
  if (!passes_all_through(*project)) return false;
  if (usage.positional && outputs(rel) != outputs(*project->input)) return false;
  replace_by_descendant(rel, *project->input);
  return true;
}

}  // namespace

const Rule projection_removal{
    .name = "projection_removal",
    .kinds = rel_kinds<Project>,
    .apply = remove_projection,
    .example = projection_removal_example,
};

}  // namespace trustsql::plan::rules
