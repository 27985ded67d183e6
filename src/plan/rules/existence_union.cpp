#include "plan/rules/existence_union.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr std::size_t most_parts = 8;
constexpr std::size_t most_tests = 64;

// What decides whether `rel` has rows.
const Rel& tested_part(const Rel& rel) {
  const Rel* part = &rel;
  while (true) {
    if (const auto* project = part->as<Project>()) {
      part = project->input.get();
    } else if (const auto* sort = part->as<Sort>()) {
      part = sort->input.get();
    } else if (const auto* distinct = part->as<Distinct>()) {
      part = distinct->input.get();
    } else {
      return *part;
    }
  }
}

bool is_small_union(const SetOp* set) {
  return set != nullptr && (set->op == ast::SetOp::union_all || set->op == ast::SetOp::union_distinct) &&
         set->inputs.size() <= most_parts;
}

Expr combined(std::vector<Expr> tests, bool negated) {
  return negated ? conjunction(std::move(tests)) : disjunction(std::move(tests));
}

bool split_exists(Expr& expr) {
  const auto& exists = *expr.as<Exists>();
  const auto* set = tested_part(*exists.rel).as<SetOp>();
  if (!is_small_union(set) || is_volatile(expr)) return false;
  std::vector<Expr> tests;
  for (const auto& input : set->inputs) tests.emplace_back(Exists{input, exists.negated});
  expr = combined(std::move(tests), exists.negated);
  return true;
}

bool split_in(Expr& expr) {
  const auto& in = *expr.as<InSubquery>();
  const auto* distinct = in.rel->as<Distinct>();
  const auto* set = (distinct != nullptr ? *distinct->input : *in.rel).as<SetOp>();
  if (!is_small_union(set) || is_volatile(expr) || in.operands.size() != in.how.size() ||
      !std::all_of(in.operands.begin(), in.operands.end(), is_copyable))
    return false;
  // Of equal values, UNION and DISTINCT keep one.
  const bool keeps_texts =
      std::none_of(in.how.begin(), in.how.end(), [](const Comparison& how) { return how.affinity == Affinity::text; });
  const bool merges = distinct != nullptr || set->op == ast::SetOp::union_distinct;
  const bool is_binary = set->collations.empty() && (distinct == nullptr || distinct->collations.empty());
  if (merges && !(keeps_texts && is_binary)) return false;
  std::vector<Expr> tests;
  for (const auto& input : set->inputs) tests.emplace_back(InSubquery{in.operands, in.negated, input, in.how});
  expr = combined(std::move(tests), in.negated);
  return true;
}

// The rows whose existence the term tests; nullopt if it tests something else.
std::optional<Cluster> tested_rows(const Expr& term) {
  const auto* exists = term.as<Exists>();
  if (exists == nullptr || exists->negated || is_volatile(term)) return std::nullopt;
  Rel copy = tested_part(*exists->rel);
  return take_apart(copy);
}

// The rows of either; nullopt if they are not of the same tables.
std::optional<Rel> rows_of_either(Cluster a, Cluster b) {
  const auto columns = unite_tables(a, b);
  if (!columns) return std::nullopt;
  for (auto& conjunct : b.conjuncts) rename(conjunct, *columns);
  auto of_b = std::move(b.conjuncts);
  auto shared = take_if(a.conjuncts, [&](const Expr& conjunct) {
    const auto same = std::find(of_b.begin(), of_b.end(), conjunct);
    if (same == of_b.end()) return false;
    of_b.erase(same);
    return true;
  });
  auto of_a = std::exchange(a.conjuncts, std::move(shared));
  if (!of_a.empty() && !of_b.empty())
    a.conjuncts.push_back(disjunction({conjunction(std::move(of_a)), conjunction(std::move(of_b))}));
  return put_together(std::move(a));
}

bool unite_tests(Expr& expr) {
  auto& terms = expr.as<Or>()->terms;
  std::vector<std::pair<std::size_t, Cluster>> tested;
  for (std::size_t i = 0; i < terms.size() && tested.size() < most_tests; ++i) {
    if (auto rows = tested_rows(terms[i])) tested.emplace_back(i, *std::move(rows));
  }
  for (auto first = tested.begin(); first != tested.end(); ++first) {
    for (auto second = first + 1; second != tested.end(); ++second) {
      auto either = rows_of_either(first->second, second->second);
      if (!either) continue;
      terms[first->first] = Expr{Exists{*std::move(either)}};
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(second->first));
      if (terms.size() == 1) replace_by_part(expr, terms.front());
      return true;
    }
  }
  return false;
}

bool combine_existence(Expr& expr, const ExprSite&, RuleContext&) {
  if (expr.is<Exists>()) return split_exists(expr);
  return expr.is<InSubquery>() ? split_in(expr) : unite_tests(expr);
}

}  // namespace

const Rule existence_union{
    .name = "existence_union",
    .kinds = expr_kinds<Exists, InSubquery, Or>,
    .apply = combine_existence,
    .example = existence_union_example,
};

}  // namespace trustsql::plan::rules
