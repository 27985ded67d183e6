// What is known of how values compare: less, equal or greater, among terms that are compared in the same way.
//
// Under one affinity and collation SQLite's order of values that are not NULL is total and transitive
// (https://sqlite.org/datatype3.html, section 4.1), literals included, so what is known of x and y and of y and z says
// something of x and z: the point algebra of Vilain and Kautz (1986), brought to path consistency.
#pragma once

#include <cstdint>
#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/terms.hpp"

namespace trustsql::equiv {

// A set of less, equal, greater.
class Relations {
 public:
  constexpr Relations() = default;
  static constexpr Relations less() { return Relations(1); }
  static constexpr Relations equal() { return Relations(2); }
  static constexpr Relations greater() { return Relations(4); }
  static constexpr Relations any() { return Relations(7); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Relations other) const { return (bits_ & other.bits_) != 0; }
  constexpr Relations operator|(Relations other) const { return Relations(bits_ | other.bits_); }
  constexpr Relations operator&(Relations other) const { return Relations(bits_ & other.bits_); }
  constexpr Relations operator-(Relations other) const { return Relations(bits_ & ~other.bits_); }
  // With the two sides changed.
  constexpr Relations turned() const { return Relations((bits_ & 2U) | ((bits_ & 1U) << 2U) | ((bits_ & 4U) >> 2U)); }
  // Of x and z, where *this holds between x and y and `next` between y and z.
  Relations then(Relations next) const;
  friend constexpr bool operator==(Relations, Relations) = default;

 private:
  explicit constexpr Relations(unsigned bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  std::uint8_t bits_ = 0;
};

// The relations under which `op` is true.
Relations relations_of(plan::CompareOp op);

// One way of comparing, and the terms that are compared in it. A relation holds if neither of the two is NULL.
struct Order {
  plan::Comparison how;
  std::vector<TermId> members;       // representatives of classes
  std::vector<Relations> relations;  // of members[i] and members[j], at i * members.size() + j

  Relations& at(std::size_t i, std::size_t j) { return relations[i * members.size() + j]; }
  Relations at(std::size_t i, std::size_t j) const { return relations[i * members.size() + j]; }

  // Concludes what follows, for middle terms that are not NULL (`non_null`, one for each member). Returns false if
  // nothing changed.
  bool close(const std::vector<bool>& non_null, Budget& budget);
};

// How the literals compare; any() where that is not known for certain.
Relations relation_of(const Value& a, const Value& b, const plan::Comparison& how);

}  // namespace trustsql::equiv
