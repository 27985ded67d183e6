#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

bool is_boolean(const Expr& expr) {
  if (const auto* value = literal_value(expr)) {
    const auto* integer = std::get_if<std::int64_t>(value);
    return value->index() == 0 || (integer != nullptr && (*integer == 0 || *integer == 1));
  }
  if (const auto* like = expr.as<Like>()) return like->op == ast::LikeOp::like || like->op == ast::LikeOp::glob;
  return expr.is<Compare>() || expr.is<RowCompare>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() ||
         expr.is<IsNull>() || expr.is<IsTruth>() || expr.is<Between>() || expr.is<InList>() || expr.is<Exists>() ||
         expr.is<InSubquery>();
}

bool is_repeatable(const Expr& expr) { return !has_subquery(expr) && !is_volatile(expr); }

namespace {

std::size_t size_of(const Expr& expr) {
  std::size_t size = 1;
  for_each_expr(expr, [&](const Expr& operand) { size += size_of(operand); });
  return size;
}

}  // namespace

bool is_copyable(const Expr& expr) {
  constexpr std::size_t largest = 40;
  if (!is_repeatable(expr) || size_of(expr) > largest) return false;
  // The results of SQLite's JSON functions have a JSON subtype, which they lose when they pass through a subquery.
  const auto* function = expr.as<Function>();
  return function == nullptr || !function->name.starts_with("json");
}

bool may_grow(const Expr& expr) {
  constexpr int highest = 1000;  // the maximum height of an expression that SQLite accepts
  return height(expr) < highest;
}

bool is_true_literal(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && truth_of(*value) == Truth::yes;
}

bool is_untrue_literal(const Expr& expr) {
  const auto* value = literal_value(expr);
  if (value == nullptr) return false;
  const auto truth = truth_of(*value);
  return truth == Truth::no || truth == Truth::null;
}

bool is_integer_literal(const Expr& expr, std::int64_t wanted) {
  const auto* value = literal_value(expr);
  const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  return integer != nullptr && *integer == wanted;
}

std::optional<Bound> as_bound(const Expr& expr) {
  const auto* compare = expr.as<Compare>();
  if (compare == nullptr) return std::nullopt;
  if (const auto* value = literal_value(*compare->right))
    return Bound{compare->left.get(), compare->op, value, compare->how};
  if (const auto* value = literal_value(*compare->left))
    return Bound{compare->right.get(), mirrored(compare->op), value, compare->how};
  return std::nullopt;
}

std::vector<Expr>* conjuncts_of(Rel& rel) {
  if (auto* filter = rel.as<Filter>()) return &filter->conjuncts;
  if (auto* join = rel.as<Join>()) return &join->on;
  if (auto* apply = rel.as<Apply>()) return &apply->on;
  return nullptr;
}

Rel& below_renamings(Rel& rel) {
  Rel* current = &rel;
  while (auto* project = current->as<Project>()) {
    if (!std::all_of(project->items.begin(), project->items.end(),
                     [](const ProjectItem& item) { return item.is_pass_through(); }))
      break;
    current = project->input.get();
  }
  return *current;
}

const Rel& below_renamings(const Rel& rel) { return below_renamings(const_cast<Rel&>(rel)); }

AttributeSet agreed_columns(const Aggregate& aggregate, const GroupKey* without) {
  AttributeSet columns;
  for (const auto& key : aggregate.keys) {
    const auto* id = column_id(key.expr);
    if (&key != without && id != nullptr && key.collation == binary_collation) columns.add(*id);
  }
  return columns;
}

}  // namespace trustsql::plan::rules
