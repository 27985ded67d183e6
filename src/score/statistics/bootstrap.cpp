#include "score/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trustsql {

Resampler Resampler::by_question(std::span<const std::int64_t> cells) {
  Resampler resampler;
  resampler.counts_.assign(cells.begin(), cells.end());
  resampler.cells_ = cells.size();
  return resampler;
}

Resampler Resampler::by_cluster(std::vector<std::int64_t> clusters, std::size_t cells) {
  Resampler resampler;
  resampler.counts_ = std::move(clusters);
  resampler.cells_ = cells;
  resampler.clustered_ = true;
  return resampler;
}

void Resampler::draw(Random& random, std::span<std::int64_t> drawn) const {
  std::fill(drawn.begin(), drawn.end(), 0);
  if (clustered_) {
    const std::size_t clusters = counts_.size() / cells_;
    for (std::size_t i = 0; i < clusters; ++i) {
      const std::size_t chosen = random.below(clusters) * cells_;
      for (std::size_t cell = 0; cell < cells_; ++cell) drawn[cell] += counts_[chosen + cell];
    }
    return;
  }
  // A multinomial draw, cell by cell: given the counts of the cells before it, each count is binomial among the
  // remaining draws.
  std::int64_t population = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  std::int64_t left = population;
  for (std::size_t cell = 0; cell < cells_ && left > 0; ++cell) {
    drawn[cell] = random.binomial(left, static_cast<double>(counts_[cell]) / static_cast<double>(population));
    left -= drawn[cell];
    population -= counts_[cell];
  }
}

double quantile(std::span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - std::floor(position);
  if (weight == 0 || sorted[below] == sorted[above]) return sorted[below];
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

std::optional<Interval> percentile_interval(std::vector<double>& values, double level) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double tail = (1 - level) / 2;
  return Interval{quantile(values, tail), quantile(values, 1 - tail)};
}

}  // namespace trustsql
