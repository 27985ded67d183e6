#include "plan/rules/comparison_conversion.hpp"

#include <algorithm>
#include <array>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool may_be_text(const Expr& expr, const Plan& plan) { return types_of(expr, plan, {}).contains(ValueType::text); }

// Converts the literals among `operands`, then simplifies `how` as far as all operands allow.
template <class Operands>
bool convert(Comparison& how, const Operands& operands, const Plan& plan) {
  bool changed = false;
  if (how.affinity != Affinity::none) {
    bool converting = false;
    for (Expr* operand : operands) {
      if (!converts(*operand, how.affinity, plan)) continue;
      const auto* value = literal_value(*operand);
      // Two numbers are compared as numbers, whatever the affinity.
      const bool among_texts = std::none_of(operands.begin(), operands.end(), [&](const Expr* other) {
        return other != operand && how.affinity == Affinity::text && converts(*other, how.affinity, plan);
      });
      if (!among_texts) {
        converting = true;
        continue;
      }
      auto converted = value != nullptr ? apply_affinity(*value, how.affinity) : std::nullopt;
      if (!converted) {
        converting = true;
        continue;
      }
      // A literal that was converted before does not change.
      Expr known = literal(*std::move(converted));
      if (known == *operand) continue;
      *operand = std::move(known);
      changed = true;
    }
    if (!converting) {
      how.affinity = Affinity::none;
      changed = true;
    }
  }
  return changed;
}

// A collation only matters if both sides may be text.
template <class Operands>
bool drop_collation(Comparison& how, const Expr& left, const Operands& rights, const Plan& plan) {
  if (how.is_binary() || how.affinity == Affinity::text) return false;
  bool text_on_the_right = false;
  for (const Expr* right : rights) text_on_the_right = text_on_the_right || may_be_text(*right, plan);
  if (text_on_the_right && may_be_text(left, plan)) return false;
  how.collation = binary_collation;
  return true;
}

// -0.0, which is not a literal, but equals 0.0.
bool drop_sign_of_zero(Compare& comparison) {
  bool changed = false;
  for (Expr* operand : {comparison.left.get(), comparison.right.get()}) {
    const auto* minus = operand->as<Unary>();
    const auto* real =
        minus != nullptr && minus->op == ast::UnaryOp::minus ? literal_as<double>(*minus->operand) : nullptr;
    if (real == nullptr || *real != 0.0 || comparison.how.affinity == Affinity::text) continue;
    *operand = literal(0.0);
    changed = true;
  }
  return changed;
}

bool convert_expr(Expr& expr, const ExprSite&, RuleContext& context) {
  const auto& plan = context.plan();
  if (auto* n = expr.as<Compare>()) {
    const bool converted = convert(n->how, std::array{n->left.get(), n->right.get()}, plan);
    const bool unsigned_zero = drop_sign_of_zero(*n);
    return drop_collation(n->how, *n->left, std::array<const Expr*, 1>{n->right.get()}, plan) || converted ||
           unsigned_zero;
  }
  if (auto* n = expr.as<InList>()) {
    std::vector<Expr*> operands{n->operand.get()};
    std::vector<const Expr*> items;
    for (auto& item : n->items) {
      operands.push_back(&item);
      items.push_back(&item);
    }
    const bool converted = convert(n->how, operands, plan);
    return drop_collation(n->how, *n->operand, items, plan) || converted;
  }
  auto* n = expr.as<Between>();
  // The operand belongs to both comparisons: it must not be converted for only one of them.
  const bool low =
      literal_value(*n->operand) == nullptr && convert(n->low_how, std::array{n->operand.get(), n->low.get()}, plan);
  const bool high =
      literal_value(*n->operand) == nullptr && convert(n->high_how, std::array{n->operand.get(), n->high.get()}, plan);
  return low || high;
}

}  // namespace

const Rule comparison_conversion{
    .name = "comparison_conversion",
    .kinds = expr_kinds<Compare, InList, Between>,
    .apply = convert_expr,
    .example = comparison_conversion_example,
};

}  // namespace trustsql::plan::rules
