#include "equiv/prover/bindings.hpp"

namespace trustsql::equiv {

using namespace plan;

const Expr& Bindings::apply(const Expr& expr) {
  Expr copy = expr;
  // Attributes that subqueries have to themselves stay.
  AttributeSet own;
  if (has_subquery(copy)) add_produced(copy, own);
  // Definitions of definitions can double in size with every step.
  constexpr int most_steps = 2000;
  int steps = 0;
  const auto replacement = [&](const auto& self, AttributeId id) -> const Expr* {
    if (own.contains(id)) return nullptr;
    const auto [bound, definition] = entry(id);
    if (bound != nullptr || definition == nullptr) return bound;
    if (budget_.exhausted() || (++steps % 16 == 0 && !budget_.spend())) return nullptr;
    if (steps == most_steps) budget_.exhaust();
    Expr made = *definition;
    substitute(made, [&](AttributeId inner) { return self(self, inner); });
    return &keep(std::move(made));
  };
  substitute(copy, [&](AttributeId id) { return replacement(replacement, id); });
  return keep(std::move(copy));
}

}  // namespace trustsql::equiv
