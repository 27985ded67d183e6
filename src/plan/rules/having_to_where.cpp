#include "plan/rules/having_to_where.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool push(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped) return false;
  const auto inside = output_set(*filter->input);
  std::vector<Expr> moving;
  std::vector<Expr> staying;
  const auto key_of = [&](AttributeId id) -> const GroupKey* {
    for (const auto& key : aggregate->keys) {
      if (key.id == id) return &key;
    }
    return nullptr;
  };
  for (auto& conjunct : filter->conjuncts) {
    bool movable = is_repeatable(conjunct);
    (references(conjunct) & inside).for_each([&](AttributeId id) {
      const auto* key = key_of(id);
      movable =
          movable && key != nullptr && key->collation == binary_collation && is_copyable(key->expr) && equal_is_identical(key->expr, context.plan());
    });
    (movable ? moving : staying).push_back(std::move(conjunct));
  }
  if (moving.empty()) {
    filter->conjuncts = std::move(staying);
    return false;
  }
  for (auto& conjunct : moving) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      const auto* key = key_of(id);
      return key != nullptr ? &key->expr : nullptr;
    });
  }
  Rel below = std::move(*filter->input);
  auto& moved = *below.as<Aggregate>();
  moved.input = with_filter(std::move(*moved.input), std::move(moving));
  rel = with_filter(std::move(below), std::move(staying));
  return true;
}

}  // namespace

const Rule having_to_where{
    .name = "having_to_where",
    .kinds = rel_kinds<Filter>,
    .on_rel = push,
};

}  // namespace trustsql::plan::rules
