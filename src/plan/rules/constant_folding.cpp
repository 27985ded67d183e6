#include "plan/rules/constant_folding.hpp"

#include "plan/evaluate.hpp"

namespace trustsql::plan::rules {

namespace {

bool fold(Expr& expr, const ExprSite&, RuleContext&) {
  auto value = evaluate(expr);
  if (!value) return false;
  expr = literal(*std::move(value));
  return true;
}

}  // namespace

const Rule constant_folding{
    .name = "constant_folding",
    .kinds = expr_kinds<Unary, Binary, Compare, And, Or, Not, IsNull, IsTruth, Between, InList, Like, Cast, Function>,
    .apply = fold,
    .example = constant_folding_example,
};

}  // namespace trustsql::plan::rules
