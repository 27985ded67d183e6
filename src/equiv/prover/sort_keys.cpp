#include "equiv/prover/sort_keys.hpp"

#include "plan/dependencies.hpp"
#include "plan/facts.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

bool same_order(SearchState& state, Chase& chase, const Rel& to, const std::vector<SortKey>& to_keys,
                const std::vector<SortKey>& from_keys) {
  auto given = chase.conditions_of(to);
  const auto facts = facts_of(to, state.plan());
  AttributeSet before;  // columns that the rows are already sorted by
  const auto is_superfluous = [&](const SortKey& key) {
    const auto& expr = state.apply(key.expr);
    return given.constant(expr) != nullptr ||
           (!is_volatile(expr) && !has_subquery(expr) && references(expr).is_subset_of(closure(before, facts)));
  };
  const auto note = [&](const SortKey& key) {
    const auto* id = column_id(state.apply(key.expr));
    if (id != nullptr && key.collation == binary_collation) before.add(*id);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < to_keys.size() || j < from_keys.size()) {
    const bool both = i < to_keys.size() && j < from_keys.size();
    if (both && to_keys[i].descending == from_keys[j].descending &&
        to_keys[i].nulls_first == from_keys[j].nulls_first && to_keys[i].collation == from_keys[j].collation &&
        state.same(given, to_keys[i].expr, from_keys[j].expr)) {
      note(to_keys[i]);
      ++i;
      ++j;
    } else if (i < to_keys.size() && is_superfluous(to_keys[i])) {
      ++i;
    } else if (j < from_keys.size() && is_superfluous(from_keys[j])) {
      ++j;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace trustsql::equiv
