#include "link/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trustsql::link {

namespace {

// The coverage of the probes by each group: 1 for the best group, exp(-sharpness * difference) for the others.
template <class GroupOf>
std::vector<float> coverage(std::size_t groups, std::size_t probe_count, std::span<const float> cosines,
                            float sharpness, GroupOf&& group_of) {
  std::vector<float> best(groups * probe_count, -1.0F);
  for (std::size_t i = 0; i < cosines.size() / probe_count; ++i) {
    float* group_best = best.data() + group_of(i) * probe_count;
    for (std::size_t p = 0; p < probe_count; ++p) group_best[p] = std::max(group_best[p], cosines[i * probe_count + p]);
  }
  std::vector<float> covered(groups, 0.0F);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t p = 0; p < probe_count; ++p) covered[g] += best[g * probe_count + p];
    covered[g] /= static_cast<float>(probe_count);
  }
  const float best_coverage = *std::max_element(covered.begin(), covered.end());
  for (float& c : covered) c = std::exp(sharpness * (c - best_coverage));
  return covered;
}

}  // namespace

void add_evidence(const ElementSet& elements, std::size_t probe_count, const EvidenceWeights& weights,
                  std::span<float> cosines) {
  if (elements.size() == 0 || probe_count == 0) return;
  const auto tables = coverage(elements.table_count(), probe_count, cosines, weights.foreign_key_sharpness,
                               [&](std::size_t i) { return elements.table_of(i); });
  const auto database_of = [&](std::size_t i) { return elements.database_of_table(elements.table_of(i)); };
  const auto databases =
      coverage(elements.database_count(), probe_count, cosines, weights.database_sharpness, database_of);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    float joined = 0;
    for (const auto other : elements.linked(i))
      joined = std::max(joined, std::min(tables[elements.table_of(i)], tables[elements.table_of(other)]));
    const float gain = weights.database * (databases[database_of(i)] - 1) + weights.foreign_key * joined;
    for (std::size_t p = 0; p < probe_count; ++p) cosines[i * probe_count + p] += gain;
  }
}

}  // namespace trustsql::link
