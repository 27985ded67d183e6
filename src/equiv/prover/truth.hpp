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

// The truth values that `a AND b`, `a OR b` may have.
inline TruthSet and_of(TruthSet a, TruthSet b) {
  TruthSet result;
  if (a.has(TruthSet::no()) || b.has(TruthSet::no())) result = result | TruthSet::no();
  if (a.has(TruthSet::yes()) && b.has(TruthSet::yes())) result = result | TruthSet::yes();
  const auto not_false = TruthSet::yes() | TruthSet::null();
  if ((a.has(TruthSet::null()) && b.has(not_false)) || (b.has(TruthSet::null()) && a.has(not_false)))
    result = result | TruthSet::null();
  return result;
}
inline TruthSet or_of(TruthSet a, TruthSet b) { return and_of(a.negated(), b.negated()).negated(); }

}  // namespace trustsql::equiv
