// NameResolver: terms of ORDER BY and GROUP BY (resolveOrderGroupBy and resolveCompoundOrderBy in resolve.c).

#include <utility>

#include "base/text.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

std::string ordinal(std::size_t number) {
  const auto last = number % 10;
  const bool is_teen = number / 10 % 10 == 1;
  return std::to_string(number) + (is_teen || last == 0 || last > 3 ? "th"
                                   : last == 1                      ? "st"
                                   : last == 2                      ? "nd"
                                                                    : "rd");
}

// The item whose alias is the unqualified name `term`, or -1.
int item_by_alias(const SelectWork& work, const ast::Expr& term) {
  const auto* ref = term.as<ast::ColumnRef>();
  if (ref == nullptr || ref->table) return -1;
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    if (work.items[i].has_alias && equals_ignore_case(work.items[i].alias, ref->column.text))
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

bool NameResolver::out_of_range(Clause clause, std::size_t term, std::size_t items, ast::Span span) {
  return context_.fail(Diagnosis::Kind::order_by,
                       ordinal(term + 1) + (clause == Clause::order ? " ORDER" : " GROUP") +
                           " BY term out of range - should be between 1 and " + std::to_string(items),
                       span);
}

// SQLite detects an aggregate in a term of GROUP BY that stands for a result column, unless the outermost operator is
// COLLATE.
bool NameResolver::stands_for_aggregate(const SelectWork& work, const ResolvedTerm& term) const {
  if (term.expr->is<ast::Collate>()) return false;
  const auto* binding = tables_.binding(*term.expr);
  const bool is_alias = binding != nullptr && binding->kind == ColumnBinding::Kind::alias;
  const int column = term.column >= 0 ? term.column : is_alias ? binding->item : -1;
  if (column < 0) return false;
  const Item& item = work.items[static_cast<std::size_t>(column)];
  return item.has_aggregate && !(is_alias && item.expr->is<ast::Collate>());
}

// A term stands for a result column if it is a number, an alias (in ORDER BY aliases take precedence over columns, in
// GROUP BY columns over aliases), or an expression that equals the result column's.
bool NameResolver::terms(Scope& scope, const std::vector<const ast::Expr*>& exprs, Clause clause,
                         std::vector<ResolvedTerm>& resolved) {
  SelectWork& work = *scope.work;
  std::vector<bool> has_aggregate(exprs.size());
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const ast::Expr& expr = skip_collate(*exprs[i]);
    ResolvedTerm term{.expr = exprs[i]};
    const int named = clause == Clause::order ? item_by_alias(work, expr) : -1;
    if (named >= 0) {
      term.column = named;
      ColumnBinding binding;
      binding.kind = ColumnBinding::Kind::alias;
      binding.item = named;
      binding.select = work.select;
      tables_.bindings[expr.as<ast::ColumnRef>()] = std::move(binding);
    } else if (const auto number = small_integer(expr, context_.options.version)) {
      if (*number < 1 || *number > 0xffff) return out_of_range(clause, i, work.items.size(), expr.span);
      term.column = *number - 1;
    } else {
      const auto windows = work.select->windows.size();
      bool aggregate = false;
      if (!root(scope, *exprs[i], &aggregate)) return false;
      has_aggregate[i] = aggregate;
      for (std::size_t j = 0; j < work.items.size(); ++j) {
        if (compare(*exprs[i], *work.items[j].expr, context_) == Likeness::equal) term.column = static_cast<int>(j);
      }
      // A window function of a result column is not computed again.
      if (term.column >= 0) work.select->windows.resize(windows);
    }
    resolved.push_back(term);
  }
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const int column = resolved[i].column;
    if (column >= static_cast<int>(work.items.size())) return out_of_range(clause, i, work.items.size(), {});
  }
  if (clause == Clause::order) return true;
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    if (!has_aggregate[i] && !stands_for_aggregate(work, resolved[i])) continue;
    return context_.fail(Diagnosis::Kind::misuse, "aggregate functions are not allowed in the GROUP BY clause",
                         exprs[i]->span);
  }
  return true;
}

// After a compound query every term must stand for a result column: by number, or by an alias or an equal expression in
// one of the arms, of which the first counts.
bool NameResolver::compound_order_by(QueryWork& query) {
  const auto& order_by = query.query->node->order_by;
  auto& resolved = query.query->order_by;
  for (const auto& term : order_by) resolved.push_back({.expr = &term.expr});
  for (auto* arm : query.arms) {
    for (std::size_t i = 0; i < resolved.size(); ++i) {
      if (resolved[i].column >= 0) continue;
      const ast::Expr& expr = skip_collate(*resolved[i].expr);
      if (const auto number = small_integer(expr, context_.options.version)) {
        if (*number < 1 || static_cast<std::size_t>(*number) > arm->items.size()) {
          return out_of_range(Clause::order, i, arm->items.size(), expr.span);
        }
        resolved[i].column = *number - 1;
      } else {
        resolved[i].column = item_by_alias(*arm, expr);
        if (resolved[i].column < 0) resolved[i].column = matching_item(*arm, expr);
      }
    }
  }
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    if (resolved[i].column >= 0) continue;
    return context_.fail(Diagnosis::Kind::order_by,
                         ordinal(i + 1) + " ORDER BY term does not match any column in the result set",
                         resolved[i].expr->span);
  }
  return true;
}

// The result column whose expression equals `term` after `term` is resolved as part of this arm, or -1. A copy of
// `term` is used for the trial.
int NameResolver::matching_item(SelectWork& work, const ast::Expr& term) {
  const ast::Expr& copy = tables_.exprs.emplace_back(term);
  const auto aggregates = work.select->aggregates.size();
  const auto windows = work.select->windows.size();
  Scope scope{.work = &work, .from = &work.from, .aliases = true, .aggregates = true, .subqueries = false};
  const bool is_inner_trial = std::exchange(context_.is_trial, true);
  const bool resolves = expr(scope, copy) && !context_.failed();
  context_.is_trial = is_inner_trial;
  if (!context_.limit_exceeded) context_.error.reset();
  work.select->aggregates.resize(aggregates);
  work.select->windows.resize(windows);
  if (!resolves) return -1;
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    if (compare(*work.items[i].expr, copy, context_) != Likeness::different) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace trustsql::resolver
