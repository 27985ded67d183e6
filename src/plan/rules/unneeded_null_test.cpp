#include "plan/rules/unneeded_null_test.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// The conditions above drop a row in which one of `columns` is NULL.
struct DroppedNulls {
  AttributeSet columns;
  bool of_filter = false;  // a filter is directly above
};

// The columns of `project` that are columns of its input with another or the same name.
AttributeSet below_projection(const Project& project, const AttributeSet& columns) {
  AttributeSet below;
  for (const auto& item : project.items) {
    const auto* from = column_id(item.expr);
    if (from != nullptr && columns.contains(item.id)) below.add(*from);
  }
  return below;
}

AttributeSet below_groups(const Aggregate& aggregate, const DroppedNulls& dropped, const Plan& plan) {
  AttributeSet below;
  if (!aggregate.grouped) return below;
  bool one_spelling = true;
  for (const auto& key : aggregate.keys) {
    const auto* from = column_id(key.expr);
    if (from != nullptr && dropped.columns.contains(key.id)) below.add(*from);
    one_spelling = one_spelling && key.collation == binary_collation && equal_is_identical(key.expr, plan);
  }
  // The groups in which all aggregates are NULL.
  const AttributeId* common = nullptr;
  bool gives_null = false;
  for (const auto& call : aggregate.calls) {
    const auto* id = is_basic(call) && call.arguments.size() == 1 ? column_id(call.arguments.front()) : nullptr;
    if (id == nullptr || (common != nullptr && *common != *id)) return below;
    common = id;
    gives_null = gives_null || (dropped.columns.contains(call.id) && call.name != "count" && call.name != "total");
  }
  if (gives_null && one_spelling && !dropped.of_filter) below.add(*common);
  return below;
}

// Those of `columns` by which every window of `window` is partitioned.
AttributeSet below_partitions(const Window& window, AttributeSet columns) {
  for (const auto& call : window.calls) {
    AttributeSet partition;
    for (const auto& key : call.partition_by) {
      if (const auto* id = column_id(key.expr)) partition.add(*id);
    }
    columns &= partition;
  }
  return columns;
}

bool drop_tests(Rel& rel, const DroppedNulls& dropped, const Plan& plan);

bool drop_tests_in_set(SetOp& set, const AttributeSet& columns, const Plan& plan) {
  return std::any_of(set.inputs.begin(), set.inputs.end(), [&](Rel& input) {
    const auto ids = outputs(input);
    AttributeSet below;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (columns.contains(set.ids[i])) below.add(ids[i]);
    }
    return drop_tests(input, {std::move(below)}, plan);
  });
}

// Drops the tests of one filter below operators that keep the rows with these NULLs apart. Returns whether there is
// one.
bool drop_tests(Rel& rel, const DroppedNulls& dropped, const Plan& plan) {
  if (dropped.columns.empty()) return false;
  if (auto* filter = rel.as<Filter>()) {
    const auto tests = take_if(filter->conjuncts, [&](const Expr& conjunct) {
      const auto* test = conjunct.as<IsNull>();
      const auto* id = test != nullptr && test->negated ? column_id(*test->operand) : nullptr;
      return id != nullptr && dropped.columns.contains(*id);
    });
    if (!tests.empty()) {
      drop_if_empty(rel);
      return true;
    }
    return drop_tests(*filter->input, {dropped.columns, true}, plan);
  }
  if (auto* project = rel.as<Project>())
    return drop_tests(*project->input, {below_projection(*project, dropped.columns), dropped.of_filter}, plan);
  if (auto* aggregate = rel.as<Aggregate>())
    return drop_tests(*aggregate->input, {below_groups(*aggregate, dropped, plan)}, plan);
  if (auto* window = rel.as<Window>())
    return drop_tests(*window->input, {below_partitions(*window, dropped.columns)}, plan);
  if (auto* set = rel.as<SetOp>()) return drop_tests_in_set(*set, dropped.columns, plan);
  if (auto* distinct = rel.as<Distinct>()) return drop_tests(*distinct->input, {dropped.columns}, plan);
  if (auto* join = rel.as<Join>()) {
    const bool keeps_left = join->type != JoinType::right && join->type != JoinType::full;
    if (keeps_left && drop_tests(*join->left, {dropped.columns & output_set(*join->left)}, plan)) return true;
    return join->type == JoinType::inner &&
           drop_tests(*join->right, {dropped.columns & output_set(*join->right)}, plan);
  }
  return false;
}

// The tests in a filter directly below a condition that compares what they test: those of expressions, since columns
// are found otherwise.
bool drop_tests_of_operands(Rel& rel, const std::vector<Expr>& conditions) {
  auto* filter = rel.as<Filter>();
  if (filter == nullptr) return false;
  const auto tests = take_if(filter->conjuncts, [&](const Expr& conjunct) {
    const auto* test = conjunct.as<IsNull>();
    if (test == nullptr || !test->negated || !is_repeatable(*test->operand)) return false;
    return std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
      const auto* compare = condition.as<Compare>();
      return compare != nullptr && compare->op != CompareOp::is && compare->op != CompareOp::is_not &&
             (*compare->left == *test->operand || *compare->right == *test->operand);
    });
  });
  if (tests.empty()) return false;
  drop_if_empty(rel);
  return true;
}

bool remove_unneeded_null_test(Rel& rel, RuleContext& context) {
  const auto& plan = context.plan();
  const auto& conditions = *conjuncts_of(rel);
  DroppedNulls dropped;
  for (const auto& condition : conditions) dropped.columns |= null_rejected(condition, plan);
  if (dropped.columns.empty() || is_volatile(rel)) return false;
  if (auto* filter = rel.as<Filter>()) {
    dropped.of_filter = true;
    return drop_tests(*filter->input, dropped, plan);
  }
  auto* join = rel.as<Join>();
  const auto drops_in = [&](Rel& side) {
    return drop_tests_of_operands(side, conditions) || drop_tests(side, {dropped.columns & output_set(side)}, plan);
  };
  const bool drops_left = join->type == JoinType::inner || join->type == JoinType::semi;
  const bool drops_right = join->type != JoinType::right && join->type != JoinType::full;
  return (drops_left && drops_in(*join->left)) || (drops_right && drops_in(*join->right));
}

}  // namespace

const Rule unneeded_null_test{
    .name = "unneeded_null_test",
    .kinds = rel_kinds<Filter, Join>,
    .apply = remove_unneeded_null_test,
    .example = unneeded_null_test_example,
};

}  // namespace trustsql::plan::rules
