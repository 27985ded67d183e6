#include "plan/strictness.hpp"

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

bool is_never_blob(const Expr& expr) {
  if (const auto* value = literal_value(expr)) return !std::holds_alternative<Blob>(*value);
  if (const auto* n = expr.as<Binary>()) return n->op != ast::BinaryOp::arrow && n->op != ast::BinaryOp::double_arrow;
  if (const auto* n = expr.as<Cast>()) return n->affinity != Affinity::none && n->affinity != Affinity::blob;
  if (const auto* n = expr.as<Function>()) {
    const bool typed = n->info != nullptr && (n->info->returns == SqlFunction::Returns::types ||
                                              n->info->returns == SqlFunction::Returns::null_if_any);
    return typed && !n->info->types.contains(ValueType::blob);
  }
  return expr.is<Unary>() || expr.is<Compare>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() ||
         expr.is<IsNull>();
}

AttributeSet strict(const Expr& expr) {
  const auto both = [](const Expr& a, const Expr& b) { return strict(a) | strict(b); };
  if (const auto* id = column_id(expr)) return {*id};
  if (const auto* n = expr.as<Unary>()) return strict(*n->operand);
  if (const auto* n = expr.as<Binary>()) {
    return n->op == ast::BinaryOp::arrow || n->op == ast::BinaryOp::double_arrow ? AttributeSet()
                                                                                 : both(*n->left, *n->right);
  }
  if (const auto* n = expr.as<Compare>()) {
    return n->op == CompareOp::is || n->op == CompareOp::is_not ? AttributeSet() : both(*n->left, *n->right);
  }
  if (const auto* n = expr.as<Not>()) return strict(*n->operand);
  if (const auto* n = expr.as<Between>()) return strict(*n->operand);
  if (const auto* n = expr.as<InList>()) return n->items.empty() ? AttributeSet() : strict(*n->operand);
  if (const auto* n = expr.as<Like>()) {
    AttributeSet result;
    if (n->op != ast::LikeOp::like && n->op != ast::LikeOp::glob) return result;
    if (is_never_blob(*n->pattern)) result |= strict(*n->operand);
    if (is_never_blob(*n->operand)) result |= strict(*n->pattern);
    return result;
  }
  if (const auto* n = expr.as<Cast>()) return strict(*n->operand);
  if (const auto* n = expr.as<Function>()) {
    AttributeSet result;
    for (std::size_t i = 0; n->info != nullptr && i < n->arguments.size(); ++i) {
      if (n->info->is_strict_in(i)) result |= strict(n->arguments[i]);
    }
    return result;
  }
  return {};
}

AttributeSet null_rejected(const Expr& expr, const Plan& plan) {
  if (const auto* n = expr.as<And>()) {
    AttributeSet result;
    for (const auto& term : n->terms) result |= null_rejected(term, plan);
    return result;
  }
  if (const auto* n = expr.as<Or>()) {
    auto result = null_rejected(n->terms.front(), plan);
    for (std::size_t i = 1; i < n->terms.size(); ++i) result &= null_rejected(n->terms[i], plan);
    return result;
  }
  if (const auto* n = expr.as<IsNull>()) return n->negated ? strict(*n->operand) : AttributeSet();
  if (const auto* n = expr.as<IsTruth>()) {
    if (n->negated) return {};
    return n->truth ? null_rejected(*n->operand, plan) : strict(*n->operand);
  }
  if (const auto* n = expr.as<Between>(); n != nullptr && !n->negated)
    return strict(*n->operand) | strict(*n->low) | strict(*n->high);
  if (const auto* n = expr.as<Compare>(); n != nullptr && n->op == CompareOp::is) {
    const AttributeSet nothing;
    AttributeSet result;
    if (is_non_null(*n->right, plan, nothing)) result |= strict(*n->left);
    if (is_non_null(*n->left, plan, nothing)) result |= strict(*n->right);
    return result;
  }
  if (const auto* n = expr.as<InSubquery>(); n != nullptr && !n->negated && n->operands.size() == 1)
    return strict(n->operands.front());
  if (const auto* n = expr.as<Like>();
      n != nullptr && !n->negated && (n->op == ast::LikeOp::like || n->op == ast::LikeOp::glob))
    return strict(*n->operand) | strict(*n->pattern);
  return strict(expr);
}

}  // namespace trustsql::plan
