#include "plan/rules/extreme_to_semi_join.hpp"

#include <utility>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The only call, MIN or MAX of all rows; nullptr for another relation.
const AggregateCall* only_extreme(const Rel& rel) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped || aggregate->calls.size() != 1) return nullptr;
  const auto& call = aggregate->calls.front();
  const bool fits = call.info != nullptr && (call.name == "min" || call.name == "max") && call.arguments.size() == 1 &&
                    !call.filter && is_repeatable(call.arguments.front());
  return fits ? &call : nullptr;
}

// Whether a value that is so compared with the extreme is so compared with one of the values that it is taken from.
bool asks_for_one(const Compare& compare, const AggregateCall& extreme, const Plan& plan) {
  const auto* left = column_id(*compare.left);
  const auto* right = column_id(*compare.right);
  const bool extreme_right = right != nullptr && *right == extreme.id;
  const bool extreme_left = left != nullptr && *left == extreme.id;
  if (extreme_right == extreme_left || references(extreme_right ? *compare.left : *compare.right).contains(extreme.id))
    return false;
  const bool greater = compare.op == CompareOp::greater || compare.op == CompareOp::greater_equal;
  const bool less = compare.op == CompareOp::less || compare.op == CompareOp::less_equal;
  const bool above_least = extreme_right ? greater : less;
  return (extreme.name == "min" ? above_least : (greater || less) && !above_least) &&
         compare.how.collation == extreme.collation && !converts(extreme.arguments.front(), compare.how.affinity, plan);
}

bool turn_extreme_into_semi_join(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner || usage.positional) return false;
  const bool on_right = only_extreme(*join->right) != nullptr;
  const Rel& single = on_right ? *join->right : *join->left;
  const auto* extreme = only_extreme(single);
  if (extreme == nullptr || usage.needed.contains(extreme->id) || is_volatile(single) ||
      free_attributes(single).intersects(output_set(on_right ? *join->left : *join->right)))
    return false;
  Expr* condition = nullptr;
  for (auto& conjunct : join->on) {
    if (!references(conjunct).contains(extreme->id)) continue;
    if (condition != nullptr) return false;
    condition = &conjunct;
  }
  auto* compare = condition != nullptr ? condition->as<Compare>() : nullptr;
  if (compare == nullptr || !asks_for_one(*compare, *extreme, context.plan())) return false;
  const auto id = extreme->id;
  const Expr value = extreme->arguments.front();
  substitute(*condition, [&](AttributeId each) { return each == id ? &value : nullptr; });
  if (!on_right) std::swap(join->left, join->right);
  replace_by_descendant(*join->right, *join->right->as<Aggregate>()->input);
  join->type = JoinType::semi;
  return true;
}

}  // namespace

const Rule extreme_to_semi_join{
    .name = "extreme_to_semi_join",
    .kinds = rel_kinds<Join>,
    .apply = turn_extreme_into_semi_join,
    .example = extreme_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
