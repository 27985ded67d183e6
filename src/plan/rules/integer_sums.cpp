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

// The constant in x + c or c + x, and x.
struct Shifted {
  std::int64_t constant = 0;
  Expr* operand = nullptr;
};
std::optional<Shifted> as_shifted(Expr& expr) {
  constexpr std::int64_t most = 512;
  auto* sum = expr.as<Binary>();
  if (sum == nullptr || sum->op != ast::BinaryOp::add) return std::nullopt;
  if (const auto right = integer_within(*sum->right, most)) return Shifted{*right, sum->left.get()};
  if (const auto left = integer_within(*sum->left, most)) return Shifted{*left, sum->right.get()};
  return std::nullopt;
}

bool add_constants(Expr& expr, RuleContext& context) {
  const auto outer = as_shifted(expr);
  const auto inner = outer ? as_shifted(*outer->operand) : std::nullopt;
  if (!inner || (outer->constant < 0) != (inner->constant < 0) || !context.integers_only(*inner->operand)) return false;
  const auto total = outer->constant + inner->constant;
  if (total > 512 || total < -512) return false;
  Expr operand = std::move(*inner->operand);
  expr = Expr{Binary{ast::BinaryOp::add, std::move(operand), literal(total)}};
  return true;
}

bool solve(Expr& expr, const ExprSite&, RuleContext& context) {
  if (expr.is<Binary>()) return add_constants(expr, context);
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
    .kinds = expr_kinds<Compare, Binary>,
    .apply = solve,
    .example = integer_sums_example,
};

}  // namespace trustsql::plan::rules
