#include "plan/rules/integer_sums.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

std::optional<std::int64_t> integer_within(const Expr& expr, std::int64_t bound) {
  const auto* value = literal_value(expr);
  const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  if (integer == nullptr || *integer > bound || *integer < -bound) return std::nullopt;
  return *integer;
}

bool solve(Expr& expr, const ExprSite&, RuleContext& context) {
  auto* n = expr.as<Compare>();
  if (n->op == CompareOp::is || n->op == CompareOp::is_not || n->how.affinity == Affinity::text) return false;
  auto* sum = n->left->as<Binary>();
  if (sum == nullptr || (sum->op != ast::BinaryOp::add && sum->op != ast::BinaryOp::subtract)) return false;
  const auto total = integer_within(*n->right, std::int64_t{1} << 62);
  if (!total) return false;
  const bool constant_left = sum->left->is<Literal>();
  const auto constant = integer_within(constant_left ? *sum->left : *sum->right, std::int64_t{1} << 53);
  if (!constant || !context.integers_only(constant_left ? *sum->right : *sum->left)) return false;
  if (sum->op == ast::BinaryOp::add) {
    n->right = literal(*total - *constant);
  } else if (constant_left) {  // c - x < k: x > c - k
    n->right = literal(*constant - *total);
    n->op = mirrored(n->op);
  } else {
    n->right = literal(*total + *constant);
  }
  replace_by_part(*n->left, constant_left ? *sum->right : *sum->left);
  return true;
}

}  // namespace

const Rule integer_sums{
    .name = "integer_sums",
    .kinds = expr_kinds<Compare>,
    .apply = solve,
    .example = integer_sums_example,
};

}  // namespace trustsql::plan::rules
