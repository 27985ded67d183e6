#include "plan/rules/having_to_where.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool push_below_groups(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped) return false;
  const auto inside = output_set(*filter->input);
  const auto key_of = [&](AttributeId id) -> const GroupKey* {
    for (const auto& key : aggregate->keys) {
      if (key.id == id) return &key;
    }
    return nullptr;
  };
  auto moving = take_if(filter->conjuncts, [&](const Expr& conjunct) {
    bool movable = !is_volatile(conjunct) && may_grow(conjunct);
    const bool of_columns = compares_columns(conjunct, context.plan());
    (references(conjunct) & inside).for_each([&](AttributeId id) {
      const auto* key = key_of(id);
      movable = movable && key != nullptr && key->collation == binary_collation && is_copyable(key->expr) &&
                ((of_columns && key->expr.is<Column>()) || equal_is_identical(key->expr, context.plan()));
    });
    return movable;
  });
  for (auto& conjunct : moving) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      const auto* key = key_of(id);
      return key != nullptr ? &key->expr : nullptr;
    });
  }
  if (!put_filter(aggregate->input, std::move(moving))) return false;
  drop_if_empty(rel);
  return true;
}

}  // namespace

const Rule having_to_where{
    .name = "having_to_where",
    .kinds = rel_kinds<Filter>,
    .apply = push_below_groups,
    .example = having_to_where_example,
};

}  // namespace trustsql::plan::rules
