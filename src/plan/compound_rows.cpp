#include "plan/compound_rows.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// Whether unequal values of the column stay unequal when they are converted to `affinity`.
bool keeps_differences(const Attribute& column, Affinity affinity) {
  const auto values = column.types.without_null();
  switch (affinity) {
    case Affinity::none:
    case Affinity::blob: return true;
    case Affinity::text: return (values & types::number).empty();
    case Affinity::real: return column.storage == Affinity::real || values.is_subset_of(types::real | types::blob);
    default: return is_numeric(column.storage) || (values & types::text).empty();
  }
}

// The attributes that stand for the column at `position` of the row taken from the queue. Their values have been
// converted before.
AttributeSet references_to(const Recursive& recursive, std::size_t position) {
  AttributeSet found;
  for (const auto& step : recursive.steps) {
    walk(step, [&](const RecursiveRef& ref) {
      if (ref.number == recursive.number) found.add(ref.ids[position]);
    });
  }
  return found;
}

using Arms = std::vector<std::vector<AttributeId>>;

// Whether unequal values of the columns at `position` stay unequal, whichever of their affinities they are converted
// to. `converted`: columns whose values have been.
bool stays_distinct(const Arms& arms, std::size_t position, const AttributeSet& converted, const Plan& plan) {
  return std::all_of(arms.begin(), arms.end(), [&](const auto& arm) {
    const auto affinity = plan.attributes[arm[position]].affinity;
    return std::all_of(arms.begin(), arms.end(), [&](const auto& other) {
      return converted.contains(other[position]) || keeps_differences(plan.attributes[other[position]], affinity);
    });
  });
}

}  // namespace

bool stays_distinct(const Recursive& recursive, const Plan& plan) {
  Arms arms = {outputs(*recursive.seed)};
  for (const auto& step : recursive.steps) arms.push_back(outputs(step));
  for (std::size_t i = 0; i < recursive.ids.size(); ++i) {
    if (!stays_distinct(arms, i, references_to(recursive, i), plan)) return false;
  }
  return true;
}

}  // namespace trustsql::plan
