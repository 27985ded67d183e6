#include "plan/rules/real_arithmetic.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_number_or_null(const Expr& expr, const Plan& plan) {
  return types_of(expr, plan, {}).without_null().is_subset_of(types::number);
}

bool is_real_or_null(const Expr& expr, const Plan& plan) {
  return types_of(expr, plan, {}).without_null().is_subset_of(types::real);
}

// The number that the expression casts to a real; nullptr if it is something else.
Expr* number_cast_to_real(Expr& expr, const Plan& plan) {
  auto* cast = expr.as<Cast>();
  const bool fits = cast != nullptr && cast->affinity == Affinity::real && is_number_or_null(*cast->operand, plan);
  return fits ? cast->operand.get() : nullptr;
}

// The whole number, of up to 2^53, as a real.
std::optional<double> whole_number(const Expr& expr) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  const auto* integer = literal_as<std::int64_t>(expr);
  if (integer == nullptr || *integer > largest || *integer < -largest) return std::nullopt;
  return static_cast<double>(*integer);
}

// Removes the cast of `side` if the other operand makes it superfluous.
bool drop_cast(Expr& side, Expr& other, const Plan& plan) {
  auto* operand = number_cast_to_real(side, plan);
  if (operand == nullptr) return false;
  if (const auto number = whole_number(other)) {
    other = literal(*number);
  } else if (!is_real_or_null(other, plan)) {
    return false;
  }
  replace_by_part(side, *operand);
  return true;
}

bool is_one(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && *value == Value(1.0);
}

Expr as_real(Expr operand) {
  Cast cast;
  cast.operand = std::move(operand);
  cast.type = "REAL";
  cast.affinity = Affinity::real;
  return Expr{std::move(cast)};
}

bool calculate_with_reals(Expr& expr, const ExprSite&, RuleContext& context) {
  auto& n = *expr.as<Binary>();
  const auto& plan = context.plan();
  using Op = ast::BinaryOp;
  if (n.op != Op::add && n.op != Op::subtract && n.op != Op::multiply && n.op != Op::divide) return false;
  if (drop_cast(*n.left, *n.right, plan) || drop_cast(*n.right, *n.left, plan)) return true;
  if ((n.op == Op::multiply || n.op == Op::divide) && is_one(*n.right) && is_number_or_null(*n.left, plan)) {
    Expr operand = std::move(*n.left);
    expr = as_real(std::move(operand));
    return true;
  }
  if (n.op == Op::multiply && is_one(*n.left) && is_number_or_null(*n.right, plan)) {
    Expr operand = std::move(*n.right);
    expr = as_real(std::move(operand));
    return true;
  }
  if (n.op != Op::divide || !is_number_or_null(*n.left, plan)) return false;
  auto* divisor = number_cast_to_real(*n.right, plan);
  if (divisor == nullptr) return false;
  replace_by_part(*n.right, *divisor);
  Expr dividend = std::move(*n.left);
  *n.left = as_real(std::move(dividend));
  return true;
}

}  // namespace

const Rule real_arithmetic{
    .name = "real_arithmetic",
    .kinds = expr_kinds<Binary>,
    .apply = calculate_with_reals,
    .example = real_arithmetic_example,
};

}  // namespace trustsql::plan::rules
