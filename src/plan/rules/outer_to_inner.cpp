#include "plan/rules/outer_to_inner.hpp"

#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Makes outer joins in `rel` stricter, given that rows in which one of `rejected` is NULL do not reach the result.
bool strengthen_outer_join(Rel& rel, const AttributeSet& rejected, const Plan& plan) {
  if (rejected.empty()) return false;
  if (auto* n = rel.as<Filter>()) return strengthen_outer_join(*n->input, rejected, plan);
  if (auto* n = rel.as<Sort>()) return strengthen_outer_join(*n->input, rejected, plan);
  if (auto* n = rel.as<Project>()) {
    AttributeSet below;
    for (const auto& item : n->items) {
      if (item.is_pass_through() && rejected.contains(item.id)) below.add(item.id);
    }
    return strengthen_outer_join(*n->input, below, plan);
  }
  if (auto* n = rel.as<Apply>()) return strengthen_outer_join(*n->left, rejected & output_set(*n->left), plan);
  auto* n = rel.as<Join>();
  if (n == nullptr) return false;
  const auto left = rejected & output_set(*n->left);
  const auto right = rejected & output_set(*n->right);
  bool changed = true;
  if (n->type == JoinType::left && !right.empty()) {
    n->type = JoinType::inner;
  } else if (n->type == JoinType::right && !left.empty()) {
    n->type = JoinType::inner;
  } else if (n->type == JoinType::full && !(left.empty() && right.empty())) {
    n->type = left.empty() ? JoinType::right : right.empty() ? JoinType::left : JoinType::inner;
  } else {
    changed = false;
  }
  switch (n->type) {
    case JoinType::inner: {
      // Its own conditions reject NULLs as well.
      AttributeSet own = rejected;
      for (const auto& conjunct : n->on) own |= null_rejected(conjunct, plan);
      changed = strengthen_outer_join(*n->left, own & output_set(*n->left), plan) || changed;
      return strengthen_outer_join(*n->right, own & output_set(*n->right), plan) || changed;
    }
    case JoinType::left:
    case JoinType::semi:
    case JoinType::anti: return strengthen_outer_join(*n->left, left, plan) || changed;
    case JoinType::right: return strengthen_outer_join(*n->right, right, plan) || changed;
    case JoinType::full: return changed;
  }
  return changed;
}

bool apply_to_outer_join(Rel& rel, RuleContext& context) {
  const auto& plan = context.plan();
  AttributeSet rejected;
  for (const auto& conjunct : *conjuncts_of(rel)) rejected |= null_rejected(conjunct, plan);
  if (rejected.empty()) return false;
  if (auto* filter = rel.as<Filter>())
    return strengthen_outer_join(*filter->input, rejected & output_set(*filter->input), plan);
  auto* join = rel.as<Join>();
  const auto on = [&](Box<Rel>& side) { return strengthen_outer_join(*side, rejected & output_set(*side), plan); };
  switch (join->type) {
    case JoinType::inner:
    case JoinType::semi: {
      const bool left = on(join->left);
      return on(join->right) || left;
    }
    // Only the matches of a row must satisfy the condition.
    case JoinType::left:
    case JoinType::anti: return on(join->right);
    case JoinType::right: return on(join->left);
    case JoinType::full: return false;
  }
  return false;
}

}  // namespace

const Rule outer_to_inner{
    .name = "outer_to_inner",
    .kinds = rel_kinds<Filter, Join>,
    .apply = apply_to_outer_join,
    .example = outer_to_inner_example,
};

}  // namespace trustsql::plan::rules
