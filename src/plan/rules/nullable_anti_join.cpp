#include "plan/rules/nullable_anti_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The comparison in `(a = b) IS NOT FALSE`; nullptr if `expr` is something else.
const Compare* maybe_true(const Expr& expr) {
  const auto* test = expr.as<IsTruth>();
  const auto* comparison = test != nullptr && !test->truth && test->negated ? test->operand->as<Compare>() : nullptr;
  const bool may_be_null =
      comparison != nullptr && comparison->op != CompareOp::is && comparison->op != CompareOp::is_not;
  return may_be_null ? comparison : nullptr;
}

bool split_anti_join(Rel& rel, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::anti || is_volatile(*join->right)) return false;
  const auto found =
      std::find_if(join->on.begin(), join->on.end(), [](const Expr& expr) { return maybe_true(expr) != nullptr; });
  if (found == join->on.end()) return false;
  const auto place = static_cast<std::size_t>(found - join->on.begin());
  const Compare comparison = *maybe_true(*found);
  const auto outside = output_set(*join->left);
  const auto inside = output_set(*join->right);
  const bool left_first = !references(*comparison.left).intersects(inside);
  const Expr outer = left_first ? *comparison.left : *comparison.right;
  const Expr inner = left_first ? *comparison.right : *comparison.left;
  if (references(outer).intersects(inside) || references(inner).intersects(outside) || !is_repeatable(outer) ||
      !is_repeatable(inner))
    return false;
  auto others = join->on;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  if (!std::all_of(others.begin(), others.end(), is_repeatable)) return false;
  const bool outer_is_filled = context.non_null(outer, context.facts(*join->left));
  const bool inner_is_filled = context.non_null(inner, context.facts(*join->right));
  const Rel right = *join->right;
  // The rows of another copy of the right side for which the other conditions and `more` are true.
  const auto copy_with = [&](std::vector<Expr> more, std::vector<Expr>& conditions) {
    Renaming fresh;
    Rel copy = copy_with_new_ids(right, context.plan(), &fresh);
    conditions = others;
    for (auto& each : more) conditions.push_back(std::move(each));
    for (auto& each : conditions) rename(each, fresh);
    return copy;
  };
  join->on[place] = Expr{comparison};
  if (!inner_is_filled) {
    std::vector<Expr> test;
    test.push_back(is_null(inner));
    std::vector<Expr> on;
    Rel copy = copy_with(std::move(test), on);
    rel = Rel{Join{JoinType::anti, std::move(rel), std::move(copy), std::move(on)}};
  }
  if (!outer_is_filled) {
    std::vector<Expr> conditions;
    Rel copy = copy_with({}, conditions);
    std::vector<Expr> choice;
    choice.push_back(is_null(outer, true));
    choice.push_back(Expr{Exists{with_filter(std::move(copy), std::move(conditions)), true}});
    std::vector<Expr> filter;
    filter.push_back(disjunction(std::move(choice)));
    rel = with_filter(std::move(rel), std::move(filter));
  }
  return true;
}

}  // namespace

const Rule nullable_anti_join{
    .name = "nullable_anti_join",
    .kinds = rel_kinds<Join>,
    .apply = split_anti_join,
    .example = nullable_anti_join_example,
};

}  // namespace trustsql::plan::rules
