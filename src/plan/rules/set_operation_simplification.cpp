#include "plan/rules/set_operation_simplification.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

bool flatten(SetOp& set) {
  const auto is_nested = [](const Rel& input) {
    const auto* inner = input.as<SetOp>();
    return inner != nullptr && inner->op == ast::SetOp::union_all;
  };
  if (std::none_of(set.inputs.begin(), set.inputs.end(), is_nested)) return false;
  std::vector<Rel> inputs;
  for (auto& input : set.inputs) {
    if (is_nested(input)) {
      for (auto& arm : input.as<SetOp>()->inputs) inputs.push_back(std::move(arm));
    } else {
      inputs.push_back(std::move(input));
    }
  }
  set.inputs = std::move(inputs);
  return true;
}

bool simplify_set_operation(Rel& rel, RuleContext&) {
  auto* set = rel.as<SetOp>();
  if (set->op == ast::SetOp::union_all) return flatten(*set);
  auto collations = set->collations;
  if (set->op == ast::SetOp::union_distinct) {
    set->op = ast::SetOp::union_all;
    set->collations = {};
    rel = Rel{Distinct{std::move(rel), std::move(collations)}};
    return true;
  }
  const auto type = set->op == ast::SetOp::except ? JoinType::anti : JoinType::semi;
  const auto ids = set->ids;
  Rel result = std::move(set->inputs.front());
  const auto left = outputs(result);
  for (std::size_t i = 1; i < set->inputs.size(); ++i) {
    const auto right = outputs(set->inputs[i]);
    std::vector<Expr> on;
    for (std::size_t c = 0; c < left.size(); ++c) {
      const Comparison how{Affinity::none, collations.empty() ? binary_collation : collations[c]};
      on.push_back(compare(CompareOp::is, column(left[c]), column(right[c]), how));
    }
    result = Rel{Join{type, std::move(result), std::move(set->inputs[i]), std::move(on)}};
  }
  Project project;
  for (std::size_t c = 0; c < ids.size(); ++c) project.items.push_back({ids[c], column(left[c])});
  project.input = std::move(result);
  rel = Rel{Distinct{Rel{std::move(project)}, std::move(collations)}};
  return true;
}

}  // namespace

const Rule set_operation_simplification{
    .name = "set_operation_simplification",
    .kinds = rel_kinds<SetOp>,
    .apply = simplify_set_operation,
    .example = set_operation_simplification_example,
};

}  // namespace trustsql::plan::rules
