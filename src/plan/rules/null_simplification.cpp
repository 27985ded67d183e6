#include "plan/rules/null_simplification.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_nullif(const Function& function) {
  return function.info != nullptr && function.name == "nullif" && function.arguments.size() == 2;
}

// nullif(x, c) IS NULL, for a constant c.
bool split_test_of_nullif(Expr& expr) {
  auto* test = expr.as<IsNull>();
  auto* function = test->operand->as<Function>();
  if (function == nullptr || !is_nullif(*function) || !is_copyable(function->arguments.front()) ||
      !function->arguments.back().is<Literal>() || is_null_literal(function->arguments.back()))
    return false;
  Comparison how;
  how.collation = function->collation;
  Expr value = function->arguments.front();
  std::vector<Expr> terms;
  terms.push_back(is_null(std::move(value), test->negated));
  terms.push_back(compare(test->negated ? CompareOp::not_equal : CompareOp::equal,
                          std::move(function->arguments.front()), std::move(function->arguments.back()),
                          std::move(how)));
  expr = test->negated ? Expr{And{std::move(terms)}} : Expr{Or{std::move(terms)}};
  return true;
}

bool simplify_test(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* n = expr.as<IsNull>();
  if (auto* function = n->operand->as<Function>(); function != nullptr && is_coalesce(*function)) {
    std::vector<Expr> tests;
    for (auto& argument : function->arguments) tests.push_back(is_null(std::move(argument), n->negated));
    expr = n->negated ? Expr{Or{std::move(tests)}} : Expr{And{std::move(tests)}};
    return true;
  }
  if (is_repeatable(*n->operand) && context.non_null(*n->operand, site.facts())) {
    expr = literal(std::int64_t{n->negated ? 1 : 0});
    return true;
  }
  return split_test_of_nullif(expr);
}

// nullif(x, y) < z, which is not true if x = y.
bool split_nullif(Expr& expr) {
  auto* comparison = expr.as<Compare>();
  for (const bool left : {true, false}) {
    auto& side = left ? comparison->left : comparison->right;
    auto* function = side->as<Function>();
    if (function == nullptr || !is_nullif(*function) || !is_repeatable(function->arguments.front())) continue;
    Comparison how;
    how.collation = function->collation;
    Expr value = function->arguments.front();
    std::vector<Expr> terms;
    Expr differ = Expr{
        IsTruth{compare(CompareOp::equal, value, std::move(function->arguments.back()), std::move(how)), true, true}};
    side = std::move(value);
    terms.push_back(std::move(expr));
    terms.push_back(std::move(differ));
    expr = conjunction(std::move(terms));
    return true;
  }
  return false;
}

// coalesce(x, c) < d for constants c and d, where c decides what becomes of NULL.
bool split_coalesce(Expr& expr) {
  auto* comparison = expr.as<Compare>();
  auto* function = comparison->left->as<Function>();
  if (function == nullptr || !is_coalesce(*function) || function->arguments.size() != 2 ||
      !function->arguments.back().is<Literal>() || !comparison->right->is<Literal>() ||
      !is_copyable(function->arguments.front()))
    return false;
  const auto of_null =
      evaluate(compare(comparison->op, function->arguments.back(), *comparison->right, comparison->how));
  const auto truth = of_null ? truth_of(*of_null) : std::nullopt;
  if (!truth) return false;
  Expr value = std::move(function->arguments.front());
  comparison->left = value;
  if (*truth == Truth::yes) {
    std::vector<Expr> terms;
    terms.push_back(std::move(expr));
    terms.push_back(is_null(std::move(value)));
    expr = Expr{Or{std::move(terms)}};
  }
  return true;
}

bool simplify_compare(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* n = expr.as<Compare>();
  const bool left_null = is_null_literal(*n->left);
  const bool right_null = is_null_literal(*n->right);
  if (n->op != CompareOp::is && n->op != CompareOp::is_not) {
    if (site.truth_only && (split_nullif(expr) || split_coalesce(expr))) return true;
    if (!(left_null && is_repeatable(*n->right)) && !(right_null && is_repeatable(*n->left))) return false;
    expr = literal({});
    return true;
  }
  const bool negated = n->op == CompareOp::is_not;
  if (left_null || right_null) {
    auto operand = std::move(left_null ? *n->right : *n->left);
    expr = is_null(std::move(operand), negated);
    return true;
  }
  // Testing both would record an assumption that one of them may not need.
  const auto& facts = site.facts();
  const bool either_will_do = site.truth_only && !negated;
  const bool left = context.non_null(*n->left, facts);
  if (!left && !either_will_do) return false;
  if (!(left && either_will_do) && !context.non_null(*n->right, facts)) return false;
  n->op = negated ? CompareOp::not_equal : CompareOp::equal;
  return true;
}

// Whether `first` is nullif(n, i) for an integer n that is not NULL, and `second` the integer i.
bool undoes_nullif(const Expr& first, const Expr& second, const ExprSite& site, RuleContext& context) {
  const auto* function = first.as<Function>();
  if (function == nullptr || !is_nullif(*function)) return false;
  const auto* value = literal_value(second);
  return value != nullptr && std::holds_alternative<std::int64_t>(*value) && function->arguments.back() == second &&
         context.non_null(function->arguments.front(), site.facts()) &&
         context.integers_only(function->arguments.front());
}

bool simplify_coalesce(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* n = expr.as<Function>();
  if (!is_coalesce(*n)) return false;
  auto& arguments = n->arguments;
  const auto before = arguments.size();
  std::erase_if(arguments, is_null_literal);
  // NULL again where it was NULL before.
  for (std::size_t i = arguments.size(); i-- > 1;) {
    const auto end = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_repeatable(*end) && std::find(arguments.begin(), end, *end) != end) arguments.erase(end);
  }
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (!context.non_null(arguments[i], site.facts())) continue;
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
    break;
  }
  if (arguments.size() == 2 && undoes_nullif(arguments.front(), arguments.back(), site, context)) {
    Expr value = std::move(arguments.front().as<Function>()->arguments.front());
    expr = std::move(value);
    return true;
  }
  if (arguments.size() == before) return false;
  if (arguments.empty()) {
    expr = literal({});
  } else if (arguments.size() == 1) {
    replace_by_part(expr, arguments.front());
  }
  return true;
}

bool simplify_nulls(Expr& expr, const ExprSite& site, RuleContext& context) {
  if (expr.is<IsNull>()) return simplify_test(expr, site, context);
  if (expr.is<Compare>()) return simplify_compare(expr, site, context);
  return simplify_coalesce(expr, site, context);
}

}  // namespace

const Rule null_simplification{
    .name = "null_simplification",
    .kinds = expr_kinds<IsNull, Compare, Function>,
    .apply = simplify_nulls,
    .example = null_simplification_example,
};

}  // namespace trustsql::plan::rules
