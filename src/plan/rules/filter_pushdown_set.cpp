#include "plan/rules/filter_pushdown_set.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Splits the filter's conditions by `movable`; those that are go into `moving`. Returns whether there are any.
template <class Predicate>
bool split(Filter& filter, std::vector<Expr>& moving, const Predicate& movable) {
  const auto rest = std::stable_partition(filter.conjuncts.begin(), filter.conjuncts.end(), [&](const Expr& c) { return !movable(c); });
  moving.assign(std::make_move_iterator(rest), std::make_move_iterator(filter.conjuncts.end()));
  filter.conjuncts.erase(rest, filter.conjuncts.end());
  return !moving.empty();
}

// Whether rows that are equal (BINARY in all of `ids`) agree entirely in what `conjunct` looks at.
bool sees_no_difference(const Expr& conjunct, const AttributeSet& ids, const Plan& plan) {
  bool fine = is_repeatable(conjunct);
  (references(conjunct) & ids).for_each([&](AttributeId id) { fine = fine && equal_is_identical(column(id), plan); });
  return fine;
}

bool push(Rel& rel, RuleContext& context) {
  auto& filter = *rel.as<Filter>();
  const auto& plan = context.plan();
  std::vector<Expr> moving;
  bool moved = false;
  if (auto* sort = filter.input->as<Sort>()) {
    moved = split(filter, moving, [](const Expr& c) { return !is_volatile(c); });
    if (moved) sort->input = with_filter(std::move(*sort->input), std::move(moving));
  } else if (auto* distinct = filter.input->as<Distinct>(); distinct != nullptr && distinct->collations.empty()) {
    const auto ids = output_set(*filter.input);
    moved = split(filter, moving, [&](const Expr& c) { return sees_no_difference(c, ids, plan); });
    if (moved) distinct->input = with_filter(std::move(*distinct->input), std::move(moving));
  } else if (auto* set = filter.input->as<SetOp>(); set != nullptr && set->op == ast::SetOp::union_all) {
    moved = split(filter, moving, is_repeatable);
    for (auto& input : set->inputs) {
      if (!moved) break;
      const auto ids = outputs(input);
      Renaming renaming;
      for (std::size_t i = 0; i < ids.size(); ++i) renaming[set->ids[i]] = ids[i];
      auto own = moving;
      for (auto& conjunct : own) rename(conjunct, renaming);
      input = with_filter(std::move(input), std::move(own));
    }
  } else if (auto* window = filter.input->as<Window>()) {
    // The columns that every window is partitioned by.
    AttributeSet common = output_set(*window->input);
    for (const auto& call : window->calls) {
      AttributeSet own;
      for (const auto& key : call.partition_by) {
        const auto* id = column_id(key.expr);
        if (id != nullptr && key.collation == binary_collation) own.add(*id);
      }
      common &= own;
    }
    const auto inside = output_set(*filter.input);
    moved = split(filter, moving, [&](const Expr& c) {
      const auto used = references(c) & inside;
      return used.is_subset_of(common) && sees_no_difference(c, inside, plan);
    });
    if (moved) window->input = with_filter(std::move(*window->input), std::move(moving));
  }
  if (!moved) return false;
  if (filter.conjuncts.empty()) replace_by_descendant(rel, *filter.input);
  return true;
}

}  // namespace

const Rule filter_pushdown_set{
    .name = "filter_pushdown_set",
    .kinds = rel_kinds<Filter>,
    .on_rel = push,
};

}  // namespace trustsql::plan::rules
