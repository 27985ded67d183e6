#include "plan/rules/common_column.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The expression of column `at` of `input`, if that is a projection.
const Expr* item(const Rel& input, std::size_t place) {
  const auto* project = input.as<Project>();
  return project != nullptr ? &project->items[place].expr : nullptr;
}

// The replacement for column `at` above the set: a literal or another column that it equals in all inputs.
std::optional<Expr> known_column(const SetOp& set, std::size_t column_place, const Plan& plan) {
  const auto* first = item(set.inputs.front(), column_place);
  if (first == nullptr) return std::nullopt;
  if (first->is<Literal>()) {
    const bool common = std::all_of(set.inputs.begin(), set.inputs.end(), [&](const Rel& input) {
      const auto* other = item(input, column_place);
      return other != nullptr && *other == *first;
    });
    if (common) return *first;
  }
  const auto affinity_of = [&](const Rel& input, std::size_t place) {
    return plan.attributes[outputs(input)[place]].affinity;
  };
  for (std::size_t twin = 0; twin < column_place; ++twin) {
    const bool same = std::all_of(set.inputs.begin(), set.inputs.end(), [&](const Rel& input) {
      const auto* own = item(input, column_place);
      const auto* other = item(input, twin);
      const auto affinity = affinity_of(set.inputs.front(), column_place);
      return own != nullptr && other != nullptr && own->is<Column>() && *own == *other &&
             affinity_of(input, column_place) == affinity && affinity_of(input, twin) == affinity;
    });
    if (same) return column(set.ids[twin]);
  }
  return std::nullopt;
}

bool pull_up_common_columns(Rel& rel, RuleContext& context) {
  auto* set = rel.as<SetOp>();
  if (set->op != ast::SetOp::union_all || set->ids.size() < 2) return false;
  for (std::size_t column_place = set->ids.size(); column_place-- > 0;) {
    const auto replacement = known_column(*set, column_place, context.plan());
    if (!replacement) continue;
    Project project;
    for (std::size_t i = 0; i < set->ids.size(); ++i)
      project.items.push_back({set->ids[i], i == column_place ? *replacement : column(set->ids[i])});
    const auto place = static_cast<std::ptrdiff_t>(column_place);
    for (auto& input : set->inputs) {
      auto& items = input.as<Project>()->items;
      items.erase(items.begin() + place);
    }
    set->ids.erase(set->ids.begin() + place);
    if (!set->collations.empty()) set->collations.erase(set->collations.begin() + place);
    project.input = std::move(rel);
    rel = Rel{std::move(project)};
    return true;
  }
  return false;
}

}  // namespace

const Rule common_column{
    .name = "common_column",
    .kinds = rel_kinds<SetOp>,
    .apply = pull_up_common_columns,
    .example = common_column_example,
};

}  // namespace trustsql::plan::rules
