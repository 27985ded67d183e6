#include "plan/rules/division_by_zero.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_division(const Expr& expr) {
  const auto* n = expr.as<Binary>();
  return n != nullptr && (n->op == ast::BinaryOp::divide || n->op == ast::BinaryOp::remainder);
}

bool is_zero(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && (*value == Value(std::int64_t{0}) || *value == Value(0.0));
}

// The value of an expression that is NULL if this value is 0; nullptr if it is something else.
Expr* unless_zero(Expr& expr) {
  if (auto* function = expr.as<Function>()) {
    const bool fits = function->name == "nullif" && function->info != nullptr && function->arguments.size() == 2 &&
                      is_zero(function->arguments.back());
    return fits ? &function->arguments.front() : nullptr;
  }
  auto* choice = expr.as<Case>();
  if (choice == nullptr || choice->operand || choice->branches.size() != 1 || !choice->otherwise) return nullptr;
  const auto& branch = choice->branches.front();
  const auto* test = branch.condition->as<Compare>();
  const bool fits = test != nullptr && test->op == CompareOp::equal && test->how.affinity != Affinity::text &&
                    is_zero(*test->right) && *test->left == *choice->otherwise && is_null_literal(*branch.result);
  return fits ? choice->otherwise.get() : nullptr;
}

// The divisor itself, or what it is cast from.
const Expr& divisor_of(const Binary& division) {
  const auto* cast = division.right->as<Cast>();
  return cast != nullptr && cast->affinity == Affinity::real ? *cast->operand : *division.right;
}

// Whether `condition` compares one of the two with 0 by `op`.
bool compares_with_zero(const Expr& condition, CompareOp op, const Binary& division) {
  const auto* n = condition.as<Compare>();
  return n != nullptr && n->op == op && is_zero(*n->right) && n->how.affinity != Affinity::text &&
         (*n->left == *division.right || *n->left == divisor_of(division));
}

// The value of a CASE where the divisor is not 0, if it is NULL where the divisor is; otherwise nullptr.
Expr* value_unless_zero(Expr& expr, const Binary& division) {
  auto* choice = expr.as<Case>();
  if (choice == nullptr || choice->operand || choice->branches.size() != 1) return nullptr;
  auto& branch = choice->branches.front();
  if (choice->otherwise && is_null_literal(*branch.result) &&
      compares_with_zero(*branch.condition, CompareOp::equal, division))
    return choice->otherwise.get();
  const bool without = !choice->otherwise || is_null_literal(*choice->otherwise);
  return without && compares_with_zero(*branch.condition, CompareOp::not_equal, division) ? branch.result.get()
                                                                                          : nullptr;
}

// Removes guards in the dividend, or in what it is computed from.
bool unguard(Expr& dividend, const Binary& division) {
  if (auto* value = value_unless_zero(dividend, division)) {
    replace_by_part(dividend, *value);
    return true;
  }
  if (auto* cast = dividend.as<Cast>()) return unguard(*cast->operand, division);
  auto* n = dividend.as<Binary>();
  if (n == nullptr || (n->op != ast::BinaryOp::add && n->op != ast::BinaryOp::subtract &&
                       n->op != ast::BinaryOp::multiply && n->op != ast::BinaryOp::divide))
    return false;
  return unguard(*n->left, division) || unguard(*n->right, division);
}

bool drop_guards(Expr& expr, const ExprSite&, RuleContext&) {
  if (auto* choice = expr.as<Case>()) {
    for (auto* result :
         {choice->otherwise.get(), choice->branches.empty() ? nullptr : choice->branches.front().result.get()}) {
      if (result == nullptr || !is_division(*result) || !is_repeatable(*result)) continue;
      const Binary division = *result->as<Binary>();
      if (auto* value = value_unless_zero(expr, division); value == result) {
        replace_by_part(expr, *result);
        return true;
      }
    }
    return false;
  }
  auto& n = *expr.as<Binary>();
  if (!is_division(expr) || !is_repeatable(*n.right)) return false;
  if (auto* divisor = unless_zero(*n.right)) {
    replace_by_part(*n.right, *divisor);
    return true;
  }
  const Binary division = n;
  return unguard(*n.left, division);
}

}  // namespace

const Rule division_by_zero{
    .name = "division_by_zero",
    .kinds = expr_kinds<Binary, Case>,
    .apply = drop_guards,
    .example = division_by_zero_example,
};

}  // namespace trustsql::plan::rules
