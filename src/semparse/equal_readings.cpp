#include "semparse/equal_readings.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "equiv/prover.hpp"
#include "plan/query_plan.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_readings = 16;
constexpr int max_proof_steps = 1'000;  // a proof for a person takes some ten

// Plans of readings, made when they are first needed.
class ReadingProver {
 public:
  ReadingProver(const Catalog& catalog, const std::vector<Reading>& readings)
      : catalog_(catalog), readings_(readings) {}

  bool are_equal(std::size_t a, std::size_t b) {
    auto* first = query(a);
    auto* second = first == nullptr ? nullptr : query(b);
    if (second == nullptr) return false;
    equiv::ProveOptions options{.any_column_order = true, .max_steps = max_proof_steps};
    options.assume.ties = true;
    return equiv::prove(*first, *second, options).proof.has_value();
  }

 private:
  // nullptr if there is no plan.
  equiv::ProverQuery* query(std::size_t reading) {
    const auto [entry, is_new] = queries_.try_emplace(reading);
    if (is_new)
      if (auto plan = plan::plan_query(readings_[reading].sql, catalog_); plan.ok())
        entry->second.emplace(std::move(*plan));
    return entry->second ? &*entry->second : nullptr;
  }

  const Catalog& catalog_;
  const std::vector<Reading>& readings_;
  std::map<std::size_t, std::optional<equiv::ProverQuery>> queries_{};
};

}  // namespace

void join_equal_readings(const Catalog& catalog, std::vector<Reading>& readings) {
  ReadingProver prover(catalog, readings);
  std::vector<bool> joined(readings.size(), false);
  const auto count = std::min(readings.size(), max_readings);
  for (std::size_t i = 1; i < count; ++i) {
    if (!readings[i].outcome) continue;
    for (std::size_t kept = 0; kept < i && !joined[i]; ++kept) {
      if (joined[kept] || !readings[kept].outcome ||
          readings[kept].outcome->fingerprint != readings[i].outcome->fingerprint || !prover.are_equal(kept, i))
        continue;
      readings[kept].probability += readings[i].probability;
      joined[i] = true;
    }
  }
  std::vector<Reading> distinct;
  for (std::size_t i = 0; i < readings.size(); ++i)
    if (!joined[i]) distinct.push_back(std::move(readings[i]));
  if (!distinct.empty())
    std::stable_sort(distinct.begin() + 1, distinct.end(),
                     [](const Reading& a, const Reading& b) { return a.probability > b.probability; });
  readings = std::move(distinct);
}

}  // namespace trustsql::semparse
