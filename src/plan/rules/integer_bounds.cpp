#include "plan/rules/integer_bounds.hpp"

#include <cmath>
#include <limits>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool tighten(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* n = expr.as<Compare>();
  if (literal_value(*n->left) != nullptr) return false;  // operand_order mirrors it first
  if (n->op == CompareOp::is || n->op == CompareOp::is_not) return false;
  const auto* value = literal_value(*n->right);
  if (value == nullptr || n->how.affinity == Affinity::text) return false;
  constexpr auto smallest = std::numeric_limits<std::int64_t>::min();
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  if (const auto* integer = std::get_if<std::int64_t>(value)) {
    if (n->op == CompareOp::greater && *integer < largest && context.integers_only(*n->left)) {
      n->right = literal(*integer + 1);
      n->op = CompareOp::greater_equal;
      return true;
    }
    if (n->op == CompareOp::less && *integer > smallest && context.integers_only(*n->left)) {
      n->right = literal(*integer - 1);
      n->op = CompareOp::less_equal;
      return true;
    }
    return false;
  }
  const auto* real = std::get_if<double>(value);
  // Only if the neighbouring integers are exact.
  if (real == nullptr || std::fabs(*real) > 4e15 || !context.integers_only(*n->left)) return false;
  const bool whole = *real == std::floor(*real);
  switch (n->op) {
    case CompareOp::greater:
    case CompareOp::greater_equal:
      n->right =
          literal(static_cast<std::int64_t>(n->op == CompareOp::greater ? std::floor(*real) + 1 : std::ceil(*real)));
      n->op = CompareOp::greater_equal;
      return true;
    case CompareOp::less:
    case CompareOp::less_equal:
      n->right =
          literal(static_cast<std::int64_t>(n->op == CompareOp::less ? std::ceil(*real) - 1 : std::floor(*real)));
      n->op = CompareOp::less_equal;
      return true;
    case CompareOp::equal:
    case CompareOp::not_equal:
      if (whole) {
        n->right = literal(static_cast<std::int64_t>(*real));
        return true;
      }
      if (!site.truth_only || !is_repeatable(*n->left)) return false;
      expr = n->op == CompareOp::equal ? literal(std::int64_t{0}) : is_null(std::move(*n->left), true);
      return true;
    default: return false;
  }
}

}  // namespace

const Rule integer_bounds{
    .name = "integer_bounds",
    .kinds = expr_kinds<Compare>,
    .apply = tighten,
    .example = integer_bounds_example,
};

}  // namespace trustsql::plan::rules
