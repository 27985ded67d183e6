#include "plan/recursive_rows.hpp"

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

}  // namespace

// Versions of SQLite differ in which arms give a column its affinity, so those of all arms are considered.
bool stays_distinct(const Recursive& recursive, const Plan& plan) {
  std::vector<std::vector<AttributeId>> arms = {outputs(*recursive.seed)};
  for (const auto& step : recursive.steps) arms.push_back(outputs(step));
  for (std::size_t i = 0; i < recursive.ids.size(); ++i) {
    const auto converted = references_to(recursive, i);
    for (const auto& arm : arms) {
      const auto affinity = plan.attributes[arm[i]].affinity;
      const bool all_stay = std::all_of(arms.begin(), arms.end(), [&](const auto& other) {
        return converted.contains(other[i]) || keeps_differences(plan.attributes[other[i]], affinity);
      });
      if (!all_stay) return false;
    }
  }
  return true;
}

}  // namespace trustsql::plan
