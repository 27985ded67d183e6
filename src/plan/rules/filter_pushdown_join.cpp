#include "plan/rules/filter_pushdown_join.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether each condition of the cluster below `rel` is where put_together() would place it.
bool in_place(const Rel& rel) {
  if (const auto* filter = rel.as<Filter>()) {
    if (filter->input->is<Filter>()) return false;
    if (!is_cluster(*filter->input)) return true;
    // Only conditions that need no column, or are random, stay above the joins.
    const auto inside = output_set(*filter->input);
    for (const auto& conjunct : filter->conjuncts) {
      if (references(conjunct).intersects(inside) && !is_volatile(conjunct)) return false;
    }
    return in_place(*filter->input);
  }
  const auto* join = rel.as<Join>();
  if (join == nullptr || join->type != JoinType::inner) return true;
  if (is_cluster(*join->right)) return false;
  const auto left = output_set(*join->left);
  const auto right = output_set(*join->right);
  for (const auto& conjunct : join->on) {
    const auto used = references(conjunct);
    if (!used.intersects(left) || !used.intersects(right) || is_volatile(conjunct)) return false;
  }
  if (const auto* below = join->left->as<Filter>(); below != nullptr && is_cluster(*below->input)) return false;
  return in_place(*join->left) && in_place(*join->right);
}

bool push_inner(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel) || in_place(rel)) return false;
  const auto ids = outputs(rel);
  rel = with_outputs(put_together(take_apart(rel)), ids);
  return true;
}

// Moves the conditions in `from` that need only columns of `side` (and outer attributes) to a filter on it.
bool move_down(std::vector<Expr>& from, Box<Rel>& side, const AttributeSet& other) {
  const auto own = output_set(*side);
  return put_filter(side, take_if(from, [&](const Expr& conjunct) {
                      const auto used = references(conjunct);
                      return used.intersects(own) && !used.intersects(other) && !is_volatile(conjunct);
                    }));
}

bool push_outer(Rel& rel, RuleContext&) {
  if (auto* filter = rel.as<Filter>()) {
    Box<Rel>* side = nullptr;
    AttributeSet other;
    if (auto* join = filter->input->as<Join>();
        join != nullptr && join->type != JoinType::inner && join->type != JoinType::full) {
      const bool right = join->type == JoinType::right;
      side = right ? &join->right : &join->left;
      other = output_set(right ? *join->left : *join->right);
    } else if (auto* apply = filter->input->as<Apply>()) {
      side = &apply->left;
      other = output_set(*apply->right);
    }
    if (side == nullptr || !move_down(filter->conjuncts, *side, other)) return false;
    drop_if_empty(rel);
    return true;
  }
  auto* join = rel.as<Join>();
  switch (join->type) {
    case JoinType::left: return move_down(join->on, join->right, output_set(*join->left));
    case JoinType::right: return move_down(join->on, join->left, output_set(*join->right));
    case JoinType::semi: {
      const auto left = output_set(*join->left);
      const bool moved_right = move_down(join->on, join->right, left);
      return move_down(join->on, join->left, output_set(*join->right)) || moved_right;
    }
    case JoinType::anti: return move_down(join->on, join->right, output_set(*join->left));
    default: return false;
  }
}

}  // namespace

const Rule filter_pushdown_join{
    .name = "filter_pushdown_join",
    .kinds = rel_kinds<Filter, Join>,
    .apply = push_inner,
    .example = filter_pushdown_join_example,
};

const Rule filter_pushdown_outer_join{
    .name = "filter_pushdown_join",
    .kinds = rel_kinds<Filter, Join>,
    .apply = push_outer,
    .example = filter_pushdown_outer_join_example,
};

}  // namespace trustsql::plan::rules
