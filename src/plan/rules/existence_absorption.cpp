#include "plan/rules/existence_absorption.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The columns of `narrow` that correspond to those of `wide`, if both read the same table.
bool map_columns(const Rel& wide, const Rel& narrow, Renaming& columns) {
  const auto* from = wide.as<Scan>();
  const auto* to = narrow.as<Scan>();
  if (from == nullptr || to == nullptr || from->table == nullptr || from->table != to->table) return false;
  for (const auto& column : from->columns) {
    for (const auto& other : to->columns) {
      if (other.position == column.position) columns[column.id] = other.id;
    }
  }
  return true;
}

// What decides whether `rel` has rows.
Cluster existence_of(const Rel& rel) {
  const Rel* rows = &rel;
  while (const auto* project = rows->as<Project>()) rows = project->input.get();
  Rel copy = *rows;
  return take_apart(copy);
}

// Whether each row of `narrow` shows that `wide` has a row.
bool implies_row(const Rel& narrow, const Rel& wide) {
  if (is_volatile(narrow) || is_volatile(wide)) return false;
  const auto of_narrow = existence_of(narrow);
  auto of_wide = existence_of(wide);
  if (of_narrow.leaves.size() != of_wide.leaves.size()) return false;
  Renaming columns;
  for (std::size_t i = 0; i < of_wide.leaves.size(); ++i) {
    if (!map_columns(of_wide.leaves[i], of_narrow.leaves[i], columns)) return false;
  }
  return std::all_of(of_wide.conjuncts.begin(), of_wide.conjuncts.end(), [&](Expr& conjunct) {
    rename(conjunct, columns);
    return std::find(of_narrow.conjuncts.begin(), of_narrow.conjuncts.end(), conjunct) != of_narrow.conjuncts.end();
  });
}

const Exists* absence(const Expr& expr) {
  const auto* exists = expr.as<Exists>();
  return exists != nullptr && exists->negated ? exists : nullptr;
}

bool absorb_existence(Expr& expr, const ExprSite&, RuleContext&) {
  auto& terms = expr.as<Or>()->terms;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto* wide = absence(terms[i]);
    if (wide == nullptr) continue;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (i == j) continue;
      const auto is_narrower = [&](const Expr& part) {
        const auto* narrow = absence(part);
        return narrow != nullptr && implies_row(*narrow->rel, *wide->rel);
      };
      Expr term = terms[j];
      if (auto* both = term.as<And>()) {
        auto factors = take_if(both->terms, is_narrower);
        if (factors.empty()) continue;
        std::vector<Expr> choice;
        choice.push_back(std::move(terms[i]));
        choice.push_back(conjunction(std::move(both->terms)));
        if (!is_true_literal(choice.back())) factors.push_back(disjunction(std::move(choice)));
        term = conjunction(std::move(factors));
      } else if (!is_narrower(term)) {
        continue;
      }
      terms[j] = std::move(term);
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      if (terms.size() == 1) replace_by_part(expr, terms.front());
      return true;
    }
  }
  return false;
}

}  // namespace

const Rule existence_absorption{
    .name = "existence_absorption",
    .kinds = expr_kinds<Or>,
    .apply = absorb_existence,
    .example = existence_absorption_example,
};

}  // namespace trustsql::plan::rules
