#include "plan/rules/filter_pushdown_set.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether rows that are equal (BINARY in all of `ids`) are identical in the columns that `conjunct` uses.
bool ignores_difference(const Expr& conjunct, const AttributeSet& ids, const Plan& plan) {
  bool fine = is_repeatable(conjunct);
  (references(conjunct) & ids).for_each([&](AttributeId id) { fine = fine && equal_is_identical(column(id), plan); });
  return fine;
}

bool push_below_set_operation(Rel& rel, RuleContext& context) {
  auto& filter = *rel.as<Filter>();
  const auto& plan = context.plan();
  bool moved = false;
  if (auto* sort = filter.input->as<Sort>()) {
    moved = put_filter(sort->input, take_if(filter.conjuncts, [](const Expr& c) { return !is_volatile(c); }));
  } else if (auto* distinct = filter.input->as<Distinct>(); distinct != nullptr && distinct->collations.empty()) {
    const auto ids = output_set(*filter.input);
    moved = put_filter(distinct->input,
                       take_if(filter.conjuncts, [&](const Expr& c) { return ignores_difference(c, ids, plan); }));
  } else if (auto* set = filter.input->as<SetOp>(); set != nullptr && set->op == ast::SetOp::union_all) {
    const auto moving = take_if(filter.conjuncts, is_repeatable);
    moved = !moving.empty();
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
    // The columns by which every window is partitioned.
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
    const auto may_move = [&](const Expr& c) {
      return (references(c) & inside).is_subset_of(common) && ignores_difference(c, inside, plan);
    };
    moved = put_filter(window->input, take_if(filter.conjuncts, may_move));
  }
  if (moved) drop_if_empty(rel);
  return moved;
}

}  // namespace

const Rule filter_pushdown_set{
    .name = "filter_pushdown_set",
    .kinds = rel_kinds<Filter>,
    .apply = push_below_set_operation,
    .example = filter_pushdown_set_example,
};

}  // namespace trustsql::plan::rules
