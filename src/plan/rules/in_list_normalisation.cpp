#include "plan/rules/in_list_normalisation.hpp"

#include <algorithm>
#include <unordered_map>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool simplify_list(Expr& expr, const ExprSite& site) {
  auto* n = expr.as<InList>();
  if (n->items.empty()) return false;
  bool changed = false;
  if (site.truth_only) {
    const auto nulls = std::count_if(n->items.begin(), n->items.end(), is_null_literal);
    if (nulls > 0 && (n->negated || static_cast<std::size_t>(nulls) == n->items.size())) {
      if (!is_repeatable(*n->operand)) return false;
      expr = literal(std::int64_t{0});
      return true;
    }
    changed = nulls > 0;
    std::erase_if(n->items, is_null_literal);
  }
  std::unordered_multimap<std::uint64_t, std::size_t> kept;  // by hash
  std::vector<Expr> items;
  for (auto& item : n->items) {
    const auto hash = ast::hash(item);
    const auto [first, last] = kept.equal_range(hash);
    if (is_repeatable(item) &&
        std::any_of(first, last, [&](const auto& known) { return items[known.second] == item; })) {
      changed = true;
    } else {
      kept.emplace(hash, items.size());
      items.push_back(std::move(item));
    }
  }
  n->items = std::move(items);
  if (n->items.size() > 1) return changed;
  expr = compare(n->negated ? CompareOp::not_equal : CompareOp::equal, std::move(*n->operand),
                 std::move(n->items.front()), n->how);
  return true;
}

// x = a, or x IN (a, b, ...) for literals: the values that one alternative of an OR allows for x.
struct Alternatives {
  const Expr* operand = nullptr;
  Comparison how{};
  std::vector<const Expr*> values;
};

std::optional<Alternatives> alternatives_of(const Expr& expr) {
  Alternatives result;
  if (const auto* equal = expr.as<Compare>(); equal != nullptr && equal->op == CompareOp::equal) {
    const bool value_left = equal->left->is<Literal>();
    const auto& value = value_left ? *equal->left : *equal->right;
    if (!value.is<Literal>()) return std::nullopt;
    result.operand = value_left ? equal->right.get() : equal->left.get();
    result.how = equal->how;
    result.values.push_back(&value);
    return result;
  }
  const auto* list = expr.as<InList>();
  if (list == nullptr || list->negated || list->items.empty()) return std::nullopt;
  for (const auto& item : list->items) {
    if (!item.is<Literal>()) return std::nullopt;
    result.values.push_back(&item);
  }
  result.operand = list->operand.get();
  result.how = list->how;
  return result;
}

// The same, unless SQLite compares the values differently in a comparison of numbers and in a list.
std::optional<Alternatives> alternatives(const Expr& expr, const Plan& plan) {
  auto found = alternatives_of(expr);
  if (found && found->how.affinity == Affinity::text && converts(*found->operand, Affinity::text, plan))
    return std::nullopt;
  return found;
}

bool merge_alternatives(Expr& expr, const Plan& plan) {
  auto& terms = expr.as<Or>()->terms;
  bool changed = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto first = alternatives(terms[i], plan);
    if (!first || !is_repeatable(*first->operand)) continue;
    InList merged{Expr(*first->operand), false, {}, first->how};
    for (const auto* value : first->values) merged.items.push_back(*value);
    std::vector<Expr> rest;
    bool any_merged = false;
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      const auto other = alternatives(terms[j], plan);
      if (!other || !(other->how == merged.how) || !(*other->operand == *merged.operand)) {
        rest.push_back(std::move(terms[j]));
        continue;
      }
      for (const auto* value : other->values) merged.items.push_back(*value);
      any_merged = true;
    }
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i) + 1, terms.end());
    if (any_merged) terms[i] = Expr{std::move(merged)};
    for (auto& term : rest) terms.push_back(std::move(term));
    changed = changed || any_merged;
  }
  if (terms.size() == 1) replace_by_part(expr, terms.front());
  return changed;
}

bool normalise(Expr& expr, const ExprSite& site, RuleContext& context) {
  return expr.is<InList>() ? simplify_list(expr, site) : merge_alternatives(expr, context.plan());
}

}  // namespace

const Rule in_list_normalisation{
    .name = "in_list_normalisation",
    .kinds = expr_kinds<InList, Or>,
    .apply = normalise,
    .example = in_list_normalisation_example,
};

}  // namespace trustsql::plan::rules
