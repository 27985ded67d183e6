#include "plan/dependencies.hpp"

namespace trustsql::plan {

AttributeSet closure(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed) {
  AttributeSet result = attributes;
  const auto extend = [&](bool with_assumptions) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& d : facts.dependencies) {
        if (d.to.is_subset_of(result) || !d.from.is_subset_of(result)) continue;
        auto missing = d.needs - facts.non_null;
        if (!with_assumptions && (!missing.empty() || !d.assumed.empty())) continue;
        if (!missing.is_subset_of(facts.assumed_non_null)) continue;
        if (with_assumptions) *assumed |= missing | d.assumed;
        result |= d.to;
        changed = true;
      }
    }
  };
  extend(false);
  if (assumed != nullptr) extend(true);
  return result;
}

bool is_superkey(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed) {
  if (!facts.has_identity) return false;
  if (facts.identity.is_subset_of(closure(attributes, facts))) return true;
  if (assumed == nullptr) return false;
  AttributeSet used;
  if (!facts.identity.is_subset_of(closure(attributes, facts, &used))) return false;
  *assumed |= used;
  return true;
}

bool at_most_one_row(const Facts& facts, AttributeSet* assumed) { return is_superkey({}, facts, assumed); }

}  // namespace trustsql::plan
