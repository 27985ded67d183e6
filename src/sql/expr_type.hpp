// The static type of an expression: how its value compares, and what it can be.
//
//   affinity    which side of a comparison is converted (https://sqlite.org/datatype3.html section 4.2)
//   collation   how texts compare, and with what precedence (section 7.1)
//   types       the storage classes that the value can have; NULL is one of them, so this is nullability as well
//
// The types are an upper bound: a class that is not in the set never occurs; one that is in it may or may not occur.
// They follow from what SQLite enforces (rowids, NOT NULL, STRICT tables, affinity on storing), not from declared
// types.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/affinity.hpp"
#include "base/value.hpp"

namespace trustsql {

// A set of storage classes.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(ValueType type) : bits_(static_cast<std::uint8_t>(1U << static_cast<unsigned>(type))) {}

  constexpr bool contains(ValueType type) const { return (bits_ & TypeSet(type).bits_) != 0; }
  constexpr bool is_subset_of(TypeSet other) const { return (bits_ & ~other.bits_) == 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool may_be_null() const { return contains(ValueType::null); }

  constexpr TypeSet with_null() const { return *this | TypeSet(ValueType::null); }
  constexpr TypeSet without_null() const { return *this - TypeSet(ValueType::null); }

  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) { return of(a.bits_ | b.bits_); }
  friend constexpr TypeSet operator&(TypeSet a, TypeSet b) { return of(a.bits_ & b.bits_); }
  friend constexpr TypeSet operator-(TypeSet a, TypeSet b) { return of(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(TypeSet, TypeSet) = default;

 private:
  static constexpr TypeSet of(int bits) {
    TypeSet set;
    set.bits_ = static_cast<std::uint8_t>(bits);
    return set;
  }
  std::uint8_t bits_ = 0;
};

namespace types {
inline constexpr TypeSet null = ValueType::null;
inline constexpr TypeSet integer = ValueType::integer;
inline constexpr TypeSet real = ValueType::real;
inline constexpr TypeSet text = ValueType::text;
inline constexpr TypeSet blob = ValueType::blob;
inline constexpr TypeSet number = integer | real;
inline constexpr TypeSet any = null | number | text | blob;
}  // namespace types

// The collation of an expression. A COLLATE operator anywhere in it takes precedence over the collation of a column.
struct Collation {
  enum class Strength : std::uint8_t {
    none,    // any other expression: BINARY unless the other side has a collation
    column,  // a column, possibly under CAST or unary +
    collate  // has a COLLATE operator
  };
  // "BINARY", "NOCASE", "RTRIM", or the name of a collation of the host as written, in which case the text belongs to
  // the query or the catalog.
  std::string_view name = "BINARY";
  Strength strength = Strength::none;

  // Whether the names are equal, ignoring ASCII case and the strength.
  bool same_order(const Collation& other) const;
};

struct ExprType {
  Affinity affinity = Affinity::none;
  Collation collation{};
  TypeSet types = types::any;

  bool may_be_null() const { return types.may_be_null(); }
};

// The affinity applied to both operands of left = right, left < right, left IS right and the like, before they compare:
// `text` and the numeric ones convert, `blob` and `none` do not. For operand BETWEEN low AND high, it applies to each
// half; CASE x WHEN y and x IN (SELECT y) compare as x = y does; for x IN (list), it is the affinity of x alone
// (section 4.2).
Affinity comparison_affinity(const ExprType& left, const ExprType& right);

// The collation of the same comparison: an explicit one (first the left side's), otherwise a column's (first the left
// side's), otherwise BINARY. For x IN (list), it is that of x alone; for MIN, MAX, ORDER BY, GROUP BY and DISTINCT,
// that of the expression itself.
Collation comparison_collation(const ExprType& left, const ExprType& right);

// The possible types of a value of these types after `affinity` is applied to it, in a comparison or on storing
// (section 3.2).
TypeSet apply_affinity(TypeSet types, Affinity affinity);

// The possible types of a value of these types after a CAST to a type of this affinity
// (https://sqlite.org/lang_expr.html#castexpr).
TypeSet cast_types(TypeSet types, Affinity affinity);

}  // namespace trustsql
