#include "equiv/prover/bindings.hpp"

namespace trustsql::equiv {

using namespace plan;

const Expr& Bindings::apply(const Expr& expr) {
  Expr copy = expr;
  // Attributes that belong to subqueries stay unchanged.
  AttributeSet produced;
  if (has_subquery(copy)) add_produced(copy, produced);
  // Nested definitions can double in size with every step, and accumulate.
  constexpr int max_steps = 2000;
  constexpr int max_height = 2000;
  int steps = 0;
  int height = 0;  // of the definitions that the attribute is nested in
  const auto replacement = [&](const auto& self, AttributeId id) -> const Expr* {
    if (produced.contains(id)) return nullptr;
    const auto current = entry(id);
    if (current.bound == nullptr && current.definition == nullptr) return nullptr;
    if (height + current.height > max_height) {
      budget_.exhaust();
      return nullptr;
    }
    if (current.bound != nullptr) return current.bound;
    if (budget_.exhausted() || (++steps % 16 == 0 && !budget_.spend())) return nullptr;
    if (steps == max_steps) budget_.exhaust();
    Expr definition = *current.definition;
    height += current.height;
    substitute(definition, [&](AttributeId inner) { return self(self, inner); });
    height -= current.height;
    return &keep(std::move(definition));
  };
  substitute(copy, [&](AttributeId id) { return replacement(replacement, id); });
  return keep(std::move(copy));
}

}  // namespace trustsql::equiv
