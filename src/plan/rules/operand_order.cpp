#include "plan/rules/operand_order.hpp"

namespace trustsql::plan::rules {

namespace {

bool order_operands(Expr& expr, const ExprSite&, RuleContext&) {
  auto* n = expr.as<Compare>();
  if (!n->left->is<Literal>() || n->right->is<Literal>()) return false;
  std::swap(n->left, n->right);
  n->op = mirrored(n->op);
  return true;
}

}  // namespace

const Rule operand_order{
    .name = "operand_order",
    .kinds = expr_kinds<Compare>,
    .apply = order_operands,
    .example = operand_order_example,
};

}  // namespace trustsql::plan::rules
