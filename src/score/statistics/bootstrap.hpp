// Bootstrap confidence intervals for statistics that depend on counts alone, such as RS(c) and precision.
//
// Drawing n questions with replacement changes only how many fall into each cell (a case, or a pair of cases of two
// systems), so a replicate is one multinomial draw, whatever n is. Questions about the same database resemble each
// other; where that matters, whole databases are drawn instead (cluster bootstrap).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace trustsql {

struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// The options of a function that computes intervals.
struct BootstrapOptions {
  std::int64_t replicates = 1000;  // 0: no intervals
  double level = 0.95;             // in (0, 1)
  std::uint64_t seed = 0;
};

// Draws resampled counts.
class Resampler {
 public:
  // Draws questions: `cells` holds the number of questions in each cell.
  static Resampler by_question(std::span<const std::int64_t> cells);
  // Draws clusters: `clusters` holds the counts of one cluster after the other, `cells` counts for each.
  // Precondition: clusters.size() is a multiple of cells, cells > 0.
  static Resampler by_cluster(std::vector<std::int64_t> clusters, std::size_t cells);

  std::size_t cell_count() const { return cells_; }
  // Writes the counts of one replicate to `drawn`. Precondition: drawn.size() == cell_count().
  void draw(Random& random, std::span<std::int64_t> drawn) const;

 private:
  std::vector<std::int64_t> counts_;  // per cell: for all questions, or for one cluster after the other
  std::size_t cells_ = 0;
  bool clustered_ = false;
};

// The p-quantile of `sorted`, linearly interpolated between neighbours (type 7 of Hyndman and Fan). Precondition: not
// empty, 0 <= p <= 1.
double quantile(std::span<const double> sorted, double p);

// Percentile intervals of several statistics from the same replicates. `statistics` maps the counts of a replicate to
// the value of each statistic. A replicate in which a statistic is undefined (nullopt, such as a precision without
// answers) is left out of that statistic's interval, which is nullopt if no replicate defines it. Replicate r uses
// stream r of the seed, so that an interval does not depend on which others are requested. `stopped` is called before
// each replicate; once it returns true, no more are drawn and the intervals are meaningless.
template <std::size_t K, class Statistics>
std::array<std::optional<Interval>, K> bootstrap(const Resampler& resampler, const BootstrapOptions& options,
                                                 Statistics statistics, const std::function<bool()>& stopped);

// The interval that contains the middle `level` of `values`, which are reordered; nullopt if there are none.
std::optional<Interval> percentile_interval(std::vector<double>& values, double level);

// --- implementation ------------------------------------------------------------------------------------------------

template <std::size_t K, class Statistics>
std::array<std::optional<Interval>, K> bootstrap(const Resampler& resampler, const BootstrapOptions& options,
                                                 Statistics statistics, const std::function<bool()>& stopped) {
  std::array<std::vector<double>, K> values;
  std::vector<std::int64_t> drawn(resampler.cell_count());
  for (std::int64_t replicate = 0; replicate < options.replicates && !stopped(); ++replicate) {
    Random random(options.seed, static_cast<std::uint64_t>(replicate));
    resampler.draw(random, drawn);
    const std::array<std::optional<double>, K> computed = statistics(std::span<const std::int64_t>(drawn));
    for (std::size_t k = 0; k < K; ++k)
      if (computed[k]) values[k].push_back(*computed[k]);
  }
  std::array<std::optional<Interval>, K> intervals;
  for (std::size_t k = 0; k < K; ++k) intervals[k] = percentile_interval(values[k], options.level);
  return intervals;
}

}  // namespace trustsql
