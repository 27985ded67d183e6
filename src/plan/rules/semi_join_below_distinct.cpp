#include "plan/rules/semi_join_below_distinct.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool move_below_distinct(Rel& rel, RuleContext& context) {
  auto& join = *rel.as<Join>();
  if (join.type != JoinType::semi && join.type != JoinType::anti) return false;
  auto* distinct = join.left->as<Distinct>();
  if (distinct == nullptr || !distinct->collations.empty() || is_volatile(*join.right)) return false;
  const auto columns = output_set(*join.left);
  AttributeSet used;
  for (const auto& conjunct : join.on) {
    if (!is_repeatable(conjunct)) return false;
    used |= references(conjunct) & columns;
  }
  bool identical = true;
  used.for_each([&](AttributeId id) { identical = identical && equal_is_identical(column(id), context.plan()); });
  if (!identical) return false;
  Rel below{Join{join.type, std::move(*distinct->input), std::move(*join.right), std::move(join.on)}};
  rel = Rel{Distinct{std::move(below), {}}};
  return true;
}

}  // namespace

const Rule semi_join_below_distinct{
    .name = "semi_join_below_distinct",
    .kinds = rel_kinds<Join>,
    .apply = move_below_distinct,
    .example = semi_join_below_distinct_example,
};

}  // namespace trustsql::plan::rules
