// Number: an SQLite INTEGER or REAL as it is stored, compared as SQLite compares them.
//
// Statistics that rank values need the order but no arithmetic. A double has 53 bits: 2^53 and 2^53 + 1 are two
// integers but the same double (https://sqlite.org/datatype3.html#comparisons).
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "base/value.hpp"

namespace trustsql {

class Number {
 public:
  constexpr Number() = default;
  constexpr Number(double real) : real_(real) {}  // NOLINT(google-explicit-constructor)
  constexpr Number(std::int64_t integer)
      : is_integer_(true), integer_(integer) {}                     // NOLINT(google-explicit-constructor)
  constexpr Number(int integer) : Number(std::int64_t{integer}) {}  // NOLINT(google-explicit-constructor)

  constexpr bool is_integer() const { return is_integer_; }
  // Precondition: is_integer().
  constexpr std::int64_t integer() const { return integer_; }
  // The nearest double.
  constexpr double real() const { return is_integer_ ? static_cast<double>(integer_) : real_; }

  // Whether real() is exactly this number.
  bool is_exact_as_real() const { return !is_integer_ || compare_integer_real(integer_, real()) == 0; }

  // A REAL if that is exact, otherwise an INTEGER.
  ValueView as_value() const {
    return is_exact_as_real() ? ValueView::of_real(real()) : ValueView::of_integer(integer_);
  }

  // Exact: neither side is rounded. A NaN, which SQLite never stores, is unordered.
  friend std::partial_ordering operator<=>(const Number& a, const Number& b) {
    if (!a.is_integer_ && !b.is_integer_) return a.real_ <=> b.real_;
    if (a.is_integer_ && b.is_integer_) return a.integer_ <=> b.integer_;
    if (a.is_integer_)
      return !std::isnan(b.real_) ? std::partial_ordering(compare_integer_real(a.integer_, b.real_))
                                  : std::partial_ordering::unordered;
    return 0 <=> (b <=> a);
  }
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

 private:
  bool is_integer_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

}  // namespace trustsql
