#include "score/statistics/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/text.hpp"

namespace trustsql {

namespace {

// The difference, rounded only once: a long double represents every 64-bit integer.
double difference(Number a, Number b) {
  const auto exact = [](Number number) {
    return number.is_integer() ? static_cast<long double>(number.integer()) : static_cast<long double>(number.real());
  };
  return static_cast<double>(exact(a) - exact(b));
}

std::int64_t pairs_among(std::int64_t n) { return n * (n - 1) / 2; }

// The sum of pairs_among() over the runs of equal elements of `sorted`.
template <class Equal>
std::int64_t tied_pairs(const Pairs& sorted, Equal equal) {
  std::int64_t tied = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && equal(sorted[i], sorted[end])) ++end;
    tied += pairs_among(static_cast<std::int64_t>(end - i));
    i = end;
  }
  return tied;
}

// Sorts `pairs` by y, stably, and returns the number of inversions: if `pairs` was sorted by (x, y), the pairs of rows
// in which x ascends and y descends. A bottom-up merge sort with a buffer as large as `pairs`.
std::int64_t sort_by_y_counting_exchanges(Pairs& pairs) {
  const std::size_t n = pairs.size();
  Pairs buffer(n);
  std::int64_t exchanges = 0;
  for (std::size_t width = 1; width < n; width *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, n);
      const std::size_t end = std::min(begin + 2 * width, n);
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t out = begin; out < end; ++out) {
        if (left < middle && (right == end || pairs[left].second <= pairs[right].second)) {
          buffer[out] = pairs[left++];
        } else {
          exchanges += static_cast<std::int64_t>(middle - left);
          buffer[out] = pairs[right++];
        }
      }
    }
    pairs.swap(buffer);
  }
  return exchanges;
}

// Twice the mean rank (counted from 1) of every element, so that ties have integer ranks too.
std::vector<double> doubled_midranks(const Pairs& pairs, Number std::pair<Number, Number>::*member) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pairs[a].*member < pairs[b].*member; });
  std::vector<double> ranks(pairs.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && pairs[order[end]].*member == pairs[order[i]].*member) ++end;
    for (std::size_t j = i; j < end; ++j) ranks[order[j]] = static_cast<double>(i + 1 + end);
    i = end;
  }
  return ranks;
}

}  // namespace

double PearsonCorrelation::Variable::scale(Number value, bool is_first, double& sum_xy) {
  constexpr double beyond = 9007199254740992.0;  // 2^53: beyond it not every integer is a double
  if (is_first && value.is_integer() && std::abs(value.real()) >= beyond) origin = value;
  const double shifted = origin ? difference(value, *origin) : value.real();
  if (const int needed = binary_exponent(shifted); needed > exponent) {
    const double factor = std::ldexp(1.0, exponent - needed);
    mean *= factor;
    sum_squares *= factor * factor;
    sum_xy *= factor;
    exponent = needed;
  }
  return std::ldexp(shifted, -exponent);
}

void PearsonCorrelation::add(Number x, Number y) {
  ++n_;
  const auto n = static_cast<double>(n_);
  const double u = x_.scale(x, n_ == 1, sum_xy_);
  const double v = y_.scale(y, n_ == 1, sum_xy_);
  const double dx = u - x_.mean;
  const double dy = v - y_.mean;
  x_.mean += dx / n;
  y_.mean += dy / n;
  x_.sum_squares += dx * (u - x_.mean);
  y_.sum_squares += dy * (v - y_.mean);
  sum_xy_ += dx * (v - y_.mean);
}

std::optional<double> PearsonCorrelation::value() const {
  if (n_ < 2 || x_.sum_squares <= 0 || y_.sum_squares <= 0) return std::nullopt;
  // One square root rounds less than two, unless the product leaves the range of double.
  const double product = x_.sum_squares * y_.sum_squares;
  const double scale =
      std::isnormal(product) ? std::sqrt(product) : std::sqrt(x_.sum_squares) * std::sqrt(y_.sum_squares);
  return std::clamp(sum_xy_ / scale, -1.0, 1.0);
}

std::optional<double> spearman(const Pairs& pairs) {
  const auto x = doubled_midranks(pairs, &std::pair<Number, Number>::first);
  const auto y = doubled_midranks(pairs, &std::pair<Number, Number>::second);
  PearsonCorrelation correlation;
  for (std::size_t i = 0; i < pairs.size(); ++i) correlation.add(x[i], y[i]);
  return correlation.value();
}

Result<KendallVariant> parse_kendall_variant(std::string_view name) {
  if (name == "a") return KendallVariant::a;
  if (name == "b") return KendallVariant::b;
  if (name == "gamma") return KendallVariant::gamma;
  return invalid_argument("variant must be one of a, b, gamma, not " + quote_for_message(name, 60));
}

std::optional<double> kendall_tau(Pairs& pairs, KendallVariant variant) {
  std::sort(pairs.begin(), pairs.end());
  const auto pair_count = pairs_among(static_cast<std::int64_t>(pairs.size()));
  const auto tied_x = tied_pairs(pairs, [](const auto& a, const auto& b) { return a.first == b.first; });
  const auto tied_both = tied_pairs(pairs, [](const auto& a, const auto& b) { return a == b; });
  const auto discordant = sort_by_y_counting_exchanges(pairs);
  const auto tied_y = tied_pairs(pairs, [](const auto& a, const auto& b) { return a.second == b.second; });
  const auto comparable = pair_count - tied_x - tied_y + tied_both;  // C + D
  const auto difference = static_cast<double>(comparable - 2 * discordant);
  double denominator = 0;
  switch (variant) {
    case KendallVariant::a: denominator = static_cast<double>(pair_count); break;
    case KendallVariant::b:
      denominator =
          std::sqrt(static_cast<double>(pair_count - tied_x)) * std::sqrt(static_cast<double>(pair_count - tied_y));
      break;
    case KendallVariant::gamma: denominator = static_cast<double>(comparable); break;
  }
  if (denominator == 0) return std::nullopt;
  return std::clamp(difference / denominator, -1.0, 1.0);
}

}  // namespace trustsql
