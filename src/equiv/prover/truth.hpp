// Sets of truth values: the values (true, false, NULL) that a condition may have.
#pragma once

#include <cstdint>

namespace trustsql::equiv {

class TruthSet {
 public:
  constexpr TruthSet() = default;

  static constexpr TruthSet yes() { return TruthSet(1); }
  static constexpr TruthSet no() { return TruthSet(2); }
  static constexpr TruthSet null() { return TruthSet(4); }
  static constexpr TruthSet any() { return TruthSet(7); }
  static constexpr TruthSet not_true() { return TruthSet(6); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(TruthSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool within(TruthSet other) const { return (bits_ & ~other.bits_) == 0; }
  constexpr TruthSet operator|(TruthSet other) const { return TruthSet(bits_ | other.bits_); }
  constexpr TruthSet operator&(TruthSet other) const { return TruthSet(bits_ & other.bits_); }
  constexpr TruthSet operator-(TruthSet other) const { return TruthSet(bits_ & ~other.bits_); }
  // The effect of NOT: true and false are exchanged.
  constexpr TruthSet negated() const { return TruthSet((bits_ & 4U) | ((bits_ & 1U) << 1U) | ((bits_ & 2U) >> 1U)); }
  friend constexpr bool operator==(TruthSet, TruthSet) = default;

 private:
  explicit constexpr TruthSet(unsigned bits) : bits_(static_cast<std::uint8_t>(bits)) {}

  std::uint8_t bits_ = 0;
};

}  // namespace trustsql::equiv
