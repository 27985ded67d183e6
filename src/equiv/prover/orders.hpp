// What is known about how values compare: less, equal or greater, among terms that are compared in the same way.
//
// Under one affinity and collation SQLite's order of values that are not NULL is total and transitive
// (https://sqlite.org/datatype3.html, section 4.1), literals included. So what is known of x and y and of y and z
// restricts x and z: the point algebra of Vilain and Kautz (1986), with path consistency.
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
  // The relations with the two sides exchanged.
  constexpr Relations turned() const { return Relations((bits_ & 2U) | ((bits_ & 1U) << 2U) | ((bits_ & 4U) >> 2U)); }
  // The possible relations between x and z, if *this holds between x and y and `next` between y and z.
  Relations then(Relations next) const;
  friend constexpr bool operator==(Relations, Relations) = default;

 private:
  explicit constexpr Relations(unsigned bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  std::uint8_t bits_ = 0;
};

// The relations under which `op` is true.
Relations relations_of(plan::CompareOp op);

// One way of comparing, and the terms that are compared in it. A relation holds only if neither term is NULL.
struct Order {
  plan::Comparison how;
  std::vector<TermId> members;       // representatives of classes
  std::vector<Relations> relations;  // of members[i] and members[j], at i * members.size() + j

  Relations& at(std::size_t i, std::size_t j) { return relations[i * members.size() + j]; }
  Relations at(std::size_t i, std::size_t j) const { return relations[i * members.size() + j]; }

  // Derives all consequences, through intermediate terms that are not NULL (`non_null`, one flag for each member).
  // Returns false if nothing changed.
  bool close(const std::vector<bool>& non_null, Budget& budget);
};

// How the literals compare; any() if that is not certain.
Relations relation_of(const Value& a, const Value& b, const plan::Comparison& how);

}  // namespace trustsql::equiv
