#include "score/report/svg_labels.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace trustsql {

// After i * gap is subtracted from the position of the i-th label (by wanted position), "at least gap apart" becomes
// "not decreasing". The best such sequence is an isotonic regression, found by pooling adjacent violators; clamping it
// to the bounds keeps it optimal.
std::vector<double> spread_labels(const std::vector<double>& wanted, double gap, double low, double high) {
  const std::size_t n = wanted.size();
  if (n == 0) return {};
  if (n > 1) gap = std::min(gap, std::max(0.0, (high - low) / static_cast<double>(n - 1)));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });

  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < n; ++i) {
    pools.push_back({wanted[order[i]] - static_cast<double>(i) * gap, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> placed(n);
  std::size_t i = 0;
  const double room = std::max(low, high - static_cast<double>(n - 1) * gap);
  for (const auto& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k, ++i)
      placed[order[i]] = std::clamp(pool.mean(), low, room) + static_cast<double>(i) * gap;
  }
  return placed;
}

}  // namespace trustsql
