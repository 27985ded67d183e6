#include "plan/rules/semi_join_below_groups.hpp"

#include <algorithm>
#include <map>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The expression that all rows of a group, or of each partition of a window, share as the column `id`; nullopt if there
// is none.
std::optional<Expr> shared_value(const Rel& groups, AttributeId id) {
  if (const auto* aggregate = groups.as<Aggregate>()) {
    const auto key = std::find_if(aggregate->keys.begin(), aggregate->keys.end(),
                                  [&](const GroupKey& each) { return each.id == id; });
    if (key == aggregate->keys.end() || key->collation != binary_collation) return std::nullopt;
    return key->expr;
  }
  const auto& calls = groups.as<Window>()->calls;
  const bool partitioned = std::all_of(calls.begin(), calls.end(), [&](const WindowCall& call) {
    return std::any_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
      return key.expr == column(id) && key.collation == binary_collation;
    });
  });
  return partitioned ? std::optional(column(id)) : std::nullopt;
}

// The input of groups or of a window; nullptr for other operators.
Box<Rel>* input_of_groups(Rel& rel) {
  if (auto* aggregate = rel.as<Aggregate>()) return aggregate->grouped ? &aggregate->input : nullptr;
  auto* window = rel.as<Window>();
  return window != nullptr ? &window->input : nullptr;
}

bool move_below_groups(Rel& rel, RuleContext& context) {
  auto& join = *rel.as<Join>();
  if ((join.type != JoinType::semi && join.type != JoinType::anti) || is_volatile(*join.right)) return false;
  auto* filter = join.left->as<Filter>();
  auto& groups = filter != nullptr ? *filter->input : *join.left;
  auto* input = input_of_groups(groups);
  if (input == nullptr) return false;
  const auto columns = output_set(groups);
  std::map<AttributeId, Expr> values;
  for (const auto& conjunct : join.on) {
    bool fits = is_repeatable(conjunct);
    const bool of_columns = compares_columns(conjunct, context.plan());
    (references(conjunct) & columns).for_each([&](AttributeId id) {
      auto value = shared_value(groups, id);
      fits = fits && value && is_copyable(*value) &&
             ((of_columns && value->is<Column>()) || equal_is_identical(*value, context.plan()));
      if (fits) values.emplace(id, *std::move(value));
    });
    if (!fits) return false;
  }
  for (auto& conjunct : join.on) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      const auto value = values.find(id);
      return value != values.end() ? &value->second : nullptr;
    });
  }
  *input = Rel{Join{join.type, std::move(**input), std::move(*join.right), std::move(join.on)}};
  replace_by_descendant(rel, *join.left);
  return true;
}

}  // namespace

const Rule semi_join_below_groups{
    .name = "semi_join_below_groups",
    .kinds = rel_kinds<Join>,
    .apply = move_below_groups,
    .example = semi_join_below_groups_example,
};

}  // namespace trustsql::plan::rules
