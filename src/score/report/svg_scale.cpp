#include "score/report/svg_scale.hpp"

#include <algorithm>
#include <cmath>

namespace trustsql {

namespace {

constexpr double largest = 1e300;  // differences of two such values are finite

// The smallest 1, 2 or 5 times a power of ten that is at least `length / count`.
double tick_step(double length, int count) {
  const double raw = length / std::max(count, 1);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int count) {
  const double step = tick_step(high - low, count);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + slack; ++k) {
    const double tick = k * step;
    ticks.push_back(std::abs(tick) < slack ? 0 : tick);
    if (ticks.size() > 1000) break;  // steps below the resolution of double
  }
  return ticks;
}

}  // namespace

Scale::Scale(double low, double high, double linear_to, double from, double to)
    : low_(std::clamp(low, -largest, largest)),
      high_(std::clamp(high, -largest, largest)),
      linear_to_(linear_to),
      from_(from),
      to_(to) {
  if (!(high_ > low_)) {
    const double margin = low_ == 0 ? 0.5 : std::abs(low_) * 0.05;
    low_ -= margin;
    high_ = low_ + 2 * margin;
  }
}

Scale Scale::linear(double low, double high, double from, double to) { return Scale(low, high, 0, from, to); }
Scale Scale::symlog(double low, double high, double linear_to, double from, double to) {
  return Scale(low, high, linear_to, from, to);
}

double Scale::transform(double value) const {
  if (linear_to_ <= 0) return value;
  const double scaled = std::abs(value) / linear_to_;
  const double size = scaled <= 1 ? scaled : 1 + std::log10(scaled);
  return value < 0 ? -size : size;
}

double Scale::operator()(double value) const {
  const double a = transform(low_);
  const double b = transform(high_);
  return from_ + (transform(std::clamp(value, low_, high_)) - a) / (b - a) * (to_ - from_);
}

double Scale::invert(double coordinate) const {
  const double a = transform(low_);
  const double b = transform(high_);
  const double position = std::clamp((coordinate - from_) / (to_ - from_), 0.0, 1.0);
  const double transformed = a + position * (b - a);
  if (linear_to_ <= 0) return transformed;
  const double size = std::abs(transformed);
  const double value = linear_to_ * (size <= 1 ? size : std::pow(10, size - 1));
  return transformed < 0 ? -value : value;
}

std::vector<double> Scale::ticks(int count) const {
  if (linear_to_ <= 0) return linear_ticks(low_, high_, count);
  std::vector<double> decades;  // linear_to_ times powers of ten, up to the largest magnitude in the range
  for (double decade = linear_to_; decade <= std::max(std::abs(low_), std::abs(high_)) * (1 + 1e-9); decade *= 10)
    decades.push_back(decade);
  const auto within = [&](double value) { return value >= low_ && value <= high_; };
  const auto negative = std::count_if(decades.begin(), decades.end(), [&](double d) { return within(-d); });
  const auto positive = std::count_if(decades.begin(), decades.end(), [&](double d) { return within(d); });
  const auto every = std::max<std::ptrdiff_t>(1, (negative + positive + count - 1) / std::max(count, 1));
  std::vector<double> ticks{0};
  for (std::size_t i = 0; i < decades.size(); i += static_cast<std::size_t>(every)) {
    ticks.push_back(decades[i]);
    ticks.push_back(-decades[i]);
  }
  if (negative + positive + 2 < count) {
    ticks.push_back(linear_to_ / 2);
    ticks.push_back(-linear_to_ / 2);
  }
  std::erase_if(ticks, [&](double tick) { return !within(tick); });
  std::sort(ticks.begin(), ticks.end());
  return ticks;
}

double round_up_to_tick(double low, double high, int count) {
  if (!(high > low)) return high;
  const double step = tick_step(high - low, count);
  return std::ceil(high / step - 1e-9) * step;
}

}  // namespace trustsql
