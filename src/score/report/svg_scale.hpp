// Scales: from values to coordinates, and the ticks of an axis.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trustsql {

// An axis: `low` lies at coordinate `from`, `high` at `to` (which may be the smaller one: y grows downward).
//
// With `linear_to` = 0 the axis is linear. Otherwise it is a symmetric logarithm: linear up to +-linear_to, and beyond
// that every decade is as long as the linear part from 0 to linear_to. This shows 0, signs and orders of magnitude at
// once (matplotlib calls it symlog).
class Scale {
 public:
  // An empty range is widened; an infinite one is cut off near the largest double.
  static Scale linear(double low, double high, double from, double to);
  static Scale symlog(double low, double high, double linear_to, double from, double to);

  // The coordinate of `value`; values outside the range are clamped to its ends.
  double operator()(double value) const;
  // The value at `coordinate`.
  double invert(double coordinate) const;

  double low() const { return low_; }
  double high() const { return high_; }
  double from() const { return from_; }
  double to() const { return to_; }

  // Round values within the range, ascending: on a linear axis about `count` of them, in steps of 1, 2 or 5 times a
  // power of ten; on a symmetric logarithm 0, the ends and the middles of the linear part, and the decades, thinned
  // out to at most `count`.
  std::vector<double> ticks(int count) const;

 private:
  Scale(double low, double high, double linear_to, double from, double to);
  double transform(double value) const;

  double low_ = 0;
  double high_ = 1;
  double linear_to_ = 0;
  double from_ = 0;
  double to_ = 1;
};

// `high` rounded up to a value at which a linear axis of about `count` ticks from `low` can end.
double round_up_to_tick(double low, double high, int count);

}  // namespace trustsql
