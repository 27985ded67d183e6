#include "plan/rules/between_expansion.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool expand(Expr& expr, const ExprSite&, RuleContext&) {
  auto* n = expr.as<Between>();
  if (!is_repeatable(*n->operand) || !is_short(*n->operand)) return false;
  const bool negated = n->negated;
  Expr operand = *n->operand;
  std::vector<Expr> parts;
  parts.push_back(compare(negated ? CompareOp::less : CompareOp::greater_equal, std::move(operand), std::move(*n->low),
                          n->low_how));
  parts.push_back(compare(negated ? CompareOp::greater : CompareOp::less_equal, std::move(*n->operand),
                          std::move(*n->high), n->high_how));
  expr = negated ? disjunction(std::move(parts)) : conjunction(std::move(parts));
  return true;
}

}  // namespace

const Rule between_expansion{
    .name = "between_expansion",
    .kinds = expr_kinds<Between>,
    .apply = expand,
    .example = between_expansion_example,
};

}  // namespace trustsql::plan::rules
