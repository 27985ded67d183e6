#include "plan/rules/projection_renaming.hpp"

namespace trustsql::plan::rules {

namespace {

bool replace_renamed_columns(Rel& rel, const Usage&, RuleContext& context) {
  const auto inside = output_set(*rel.as<Project>()->input);
  for (const auto& item : rel.as<Project>()->items) {
    const auto* id = column_id(item.expr);
    // Columns of outer queries are not columns of the input.
    if (id == nullptr || *id == item.id || !inside.contains(*id)) continue;
    context.rename_later({{item.id, *id}});
    return true;
  }
  return false;
}

}  // namespace

const Rule projection_renaming{
    .name = "projection_renaming",
    .kinds = rel_kinds<Project>,
    .apply = replace_renamed_columns,
    .example = projection_renaming_example,
};

}  // namespace trustsql::plan::rules
