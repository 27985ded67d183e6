#include "plan/rules/null_test_to_exists.hpp"

#include "plan/rules/common.hpp"
#include "plan/rules/unnesting.hpp"

namespace trustsql::plan::rules {

namespace {

bool ask_for_row(Expr& expr, const ExprSite&, RuleContext& context) {
  const auto& test = *expr.as<IsNull>();
  const auto* subquery = test.operand->as<ScalarSubquery>();
  if (subquery == nullptr || is_volatile(*subquery->rel)) return false;
  const auto ids = outputs(*subquery->rel);
  if (ids.size() != 1 || !context.non_null(column(ids.front()), context.facts(*subquery->rel))) return false;
  Rel rows = *subquery->rel;
  std::vector<Expr> on;
  strip_for_existence(rows, on, context.plan());
  expr = Expr{Exists{std::move(rows), !test.negated}};
  return true;
}

}  // namespace

const Rule null_test_to_exists{
    .name = "null_test_to_exists",
    .kinds = expr_kinds<IsNull>,
    .apply = ask_for_row,
    .example = null_test_to_exists_example,
};

}  // namespace trustsql::plan::rules
