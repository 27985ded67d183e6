#include "equiv/prover/null_extension.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Whether `expr`, over columns of `rel`, is NULL if all of these are NULL.
bool is_null_on_nulls(SearchState& state, const Expr& expr, const Rel& rel) {
  if (expr.is<plan::Column>()) return true;
  AttributeSet produced;
  add_produced(rel, produced);
  const auto used = references(expr);
  if (!used.is_subset_of(produced)) return false;
  const Expr& null = state.bindings().keep(literal(Value{}));
  auto nulls = state.new_solver();
  used.for_each([&](AttributeId id) { nulls.assume_same(state.column(id), null); });
  return nulls.same(expr, null);
}

}  // namespace

Columns filled_columns(SearchState& state, const Rel& rel) {
  Columns filled;
  for (const auto id : outputs(rel)) {
    if (state.bindings().is_defined(id) && !is_null_on_nulls(state, state.apply(id), rel)) filled.push_back(id);
  }
  return filled;
}

void bind_null_extended(SearchState& state, ConditionSolver& matches, const Rel& to, const Rel& from) {
  struct Computed {
    AttributeId id;
    const Expr* expr;
  };
  const auto filled = filled_columns(state, to);
  std::vector<Computed> computed;
  for (const auto id : filled) computed.push_back({id, &state.apply(id)});
  std::vector<std::pair<AttributeId, const Expr*>> bound;
  for (const auto id : outputs(from)) {
    const auto& expr = state.apply(id);
    if (is_null_on_nulls(state, expr, to)) {
      bound.emplace_back(id, &expr);
      continue;
    }
    const auto same =
        std::find_if(computed.begin(), computed.end(), [&](const Computed& c) { return matches.same(*c.expr, expr); });
    bound.emplace_back(id, &state.column(same != computed.end() ? same->id : state.plan().add_attribute_like(id)));
  }
  state.close_columns(filled);
  for (const auto& [id, expr] : bound) state.bindings().bind(id, *expr);
}

}  // namespace trustsql::equiv
