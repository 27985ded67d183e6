#include "plan/rules/number_text_comparison.hpp"

#include "plan/number_text.hpp"

namespace trustsql::plan::rules {

namespace {

struct Conversion {
  AttributeId column = 0;
  Reading reading = Reading::as_number;
};

// The column that the expression converts to a number.
std::optional<Conversion> conversion(const Expr& expr) {
  if (const auto* cast = expr.as<Cast>(); cast != nullptr && is_numeric(cast->affinity)) {
    const auto* id = column_id(*cast->operand);
    if (id == nullptr) return std::nullopt;
    return Conversion{*id, cast->affinity == Affinity::integer ? Reading::as_integer : Reading::as_number};
  }
  if (const auto* sum = expr.as<Binary>(); sum != nullptr && sum->op == ast::BinaryOp::add) {
    const auto is_zero = [](const Expr& operand) {
      const auto* value = literal_value(operand);
      return value != nullptr && *value == Value(std::int64_t{0});
    };
    for (const auto& [operand, other] :
         {std::pair(sum->left.get(), sum->right.get()), std::pair(sum->right.get(), sum->left.get())}) {
      const auto* id = column_id(*operand);
      if (id != nullptr && is_zero(*other)) return Conversion{*id, Reading::as_number};
    }
  }
  return std::nullopt;
}

// Whether numeric affinity changes no value of the expression.
bool is_numeric_already(const Expr& expr, const Plan& plan) {
  const auto* id = column_id(expr);
  return (id != nullptr && is_numeric(plan.attributes[*id].storage)) ||
         types_of(expr, plan, {}).without_null().is_subset_of(types::number);
}

bool compare_column(Expr& expr, const ExprSite&, RuleContext& context) {
  auto* n = expr.as<Compare>();
  if (n->how.affinity == Affinity::text) return false;
  for (const bool left : {true, false}) {
    auto& side = left ? n->left : n->right;
    const auto& other = left ? *n->right : *n->left;
    const auto converted = conversion(*side);
    if (!converted) continue;
    const bool equality = n->op == CompareOp::equal || n->op == CompareOp::not_equal || n->op == CompareOp::is ||
                          n->op == CompareOp::is_not;
    const auto* number = literal_value(other);
    const auto text = number != nullptr && equality && left ? number_text(*number, converted->reading) : std::nullopt;
    const bool as_numbers = n->how.affinity == Affinity::numeric || is_numeric_already(other, context.plan());
    if ((!text && !as_numbers) || !context.texts_of_numbers(converted->column, converted->reading)) continue;
    side = column(converted->column);
    if (text) {
      n->how = {Affinity::none, context.plan().attributes[converted->column].collation};
      n->right = literal(*text);
    } else {
      n->how.affinity = Affinity::numeric;
    }
    return true;
  }
  return false;
}

}  // namespace

const Rule number_text_comparison{
    .name = "number_text_comparison",
    .kinds = expr_kinds<Compare>,
    .apply = compare_column,
    .example = number_text_comparison_example,
};

}  // namespace trustsql::plan::rules
