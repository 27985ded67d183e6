#include "plan/rules/left_join_to_exists.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Adds the NULL tests of columns of `right` in `expr` to `tests`. Returns whether `expr` uses these columns in
// nothing else.
bool find_tests(Expr& expr, const AttributeSet& right, std::vector<Expr*>& tests) {
  if (expr.is<ScalarSubquery>() || expr.is<Exists>() || expr.is<InSubquery>())
    return !references(expr).intersects(right);
  if (const auto* test = expr.as<IsNull>()) {
    const auto* id = column_id(*test->operand);
    if (id != nullptr && right.contains(*id)) {
      tests.push_back(&expr);
      return true;
    }
  }
  if (const auto* id = column_id(expr)) return !right.contains(*id);
  bool only = true;
  for_each_expr(expr, [&](Expr& operand) { only = only && find_tests(operand, right, tests); });
  return only;
}

bool turn_left_join_into_exists(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* project = rel.as<Project>();
  auto& input = project != nullptr ? project->input : rel.as<Filter>()->input;
  auto* join = input->as<Join>();
  if (join == nullptr || join->type != JoinType::left || is_volatile(*join->right)) return false;
  const auto right = output_set(*join->right);
  if (project == nullptr && (usage.positional || usage.needed.intersects(right))) return false;
  std::vector<Expr*> tests;
  bool only = true;
  for_each_expr(rel, [&](Expr& expr) { only = only && find_tests(expr, right, tests); });
  if (!only || tests.empty()) return false;
  auto facts = context.facts(*join->right);
  for (const auto* test : tests) {
    if (!context.non_null(*test->as<IsNull>()->operand, facts)) return false;
  }
  add_facts_of_conjuncts(facts, join->on, context.plan());
  if (!context.single_row(facts)) return false;
  for (auto* test : tests) {
    Renaming fresh;
    Rel partners = copy_with_new_ids(*join->right, context.plan(), &fresh);
    auto on = join->on;
    for (auto& conjunct : on) rename(conjunct, fresh);
    *test = Expr{Exists{with_filter(std::move(partners), std::move(on)), !test->as<IsNull>()->negated}};
  }
  Rel rows = std::move(*join->left);
  input = std::move(rows);
  return true;
}

}  // namespace

const Rule left_join_to_exists{
    .name = "left_join_to_exists",
    .kinds = rel_kinds<Filter, Project>,
    .apply = turn_left_join_into_exists,
    .example = left_join_to_exists_example,
};

}  // namespace trustsql::plan::rules
