#include "plan/rules/arithmetic_simplification.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_number(const Expr& expr, RuleContext& context) {
  return types_of(expr, context.plan(), {}).without_null().is_subset_of(types::number) || context.integers_only(expr);
}

// Whether the value comes from a table as it is. Results of JSON functions have a subtype, which a cast removes.
bool is_stored(const Expr& expr, const Plan& plan) {
  const auto* id = column_id(expr);
  return id != nullptr && plan.attributes[*id].table != nullptr;
}

// Whether the cast returns its operand.
bool changes_nothing(const Cast& cast, RuleContext& context) {
  switch (cast.affinity) {
    case Affinity::integer:
    case Affinity::numeric: return context.integers_only(*cast.operand);
    case Affinity::text: return is_stored(*cast.operand, context.plan()) && context.texts_only(*cast.operand);
    case Affinity::real: return context.reals_only(*cast.operand);
    default: return false;
  }
}

bool is_real_one(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && *value == Value(1.0);
}

// The operand that the factor or divisor 1.0 leaves as it is; nullptr if there is none.
Expr* times_real_one(Binary& n, RuleContext& context) {
  const bool product = n.op == ast::BinaryOp::multiply;
  if ((product || n.op == ast::BinaryOp::divide) && is_real_one(*n.right) && context.reals_only(*n.left))
    return n.left.get();
  return product && is_real_one(*n.left) && context.reals_only(*n.right) ? n.right.get() : nullptr;
}

// a || (b || c) as (a || b) || c. In UTF-16, a blob among them may lose a byte in one and not in the other.
bool concatenate_from_left(Expr& expr, const Plan& plan) {
  auto* outer = expr.as<Binary>();
  auto* inner = outer->op == ast::BinaryOp::concat ? outer->right->as<Binary>() : nullptr;
  if (inner == nullptr || inner->op != ast::BinaryOp::concat) return false;
  const auto may_lose_bytes = [&plan](const Expr& operand) {
    return plan.is_utf16 && (types_of(operand, plan, {}) & types::blob) != TypeSet();
  };
  if (may_lose_bytes(*outer->left) || may_lose_bytes(*inner->left) || may_lose_bytes(*inner->right)) return false;
  Expr last = std::move(*inner->right);
  Expr first{Binary{ast::BinaryOp::concat, std::move(*outer->left), std::move(*inner->left)}};
  expr = Expr{Binary{ast::BinaryOp::concat, std::move(first), std::move(last)}};
  return true;
}

bool simplify_arithmetic(Expr& expr, const ExprSite&, RuleContext& context) {
  if (auto* n = expr.as<Cast>()) {
    if (!changes_nothing(*n, context)) return false;
    replace_by_part(expr, *n->operand);
    return true;
  }
  if (concatenate_from_left(expr, context.plan())) return true;
  auto* n = expr.as<Binary>();
  using Op = ast::BinaryOp;
  const bool right = ((n->op == Op::add || n->op == Op::subtract) && is_integer_literal(*n->right, 0)) ||
                     ((n->op == Op::multiply || n->op == Op::divide) && is_integer_literal(*n->right, 1));
  const bool left = (n->op == Op::add && is_integer_literal(*n->left, 0)) ||
                    (n->op == Op::multiply && is_integer_literal(*n->left, 1));
  // -0.0 + 0 is 0.0.
  const auto is_unchanged = [&](const Expr& operand) {
    return is_number(operand, context) && (n->op != Op::add || !may_be_negative_zero(operand, context.plan()));
  };
  if (right && is_unchanged(*n->left)) {
    replace_by_part(expr, *n->left);
    return true;
  }
  if (left && is_unchanged(*n->right)) {
    replace_by_part(expr, *n->right);
    return true;
  }
  if (auto* operand = times_real_one(*n, context)) {
    replace_by_part(expr, *operand);
    return true;
  }
  return false;
}

}  // namespace

const Rule arithmetic_simplification{
    .name = "arithmetic_simplification",
    .kinds = expr_kinds<Binary, Cast>,
    .apply = simplify_arithmetic,
    .example = arithmetic_simplification_example,
};

}  // namespace trustsql::plan::rules
