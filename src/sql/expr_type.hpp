// What is known of an expression's value before it is computed: how it compares, and what it can be.
//
//   affinity    which side of a comparison is converted (https://sqlite.org/datatype3.html section 4.2)
//   collation   how texts compare, and how strongly the expression asks for that (section 7.1)
//   types       the storage classes that the value can have; NULL is one of them, so this is nullability as well
//
// The types are an upper bound: a class that is missing from the set never occurs, one that is in it may or may not.
// They rest on what SQLite enforces (rowids, NOT NULL, STRICT tables, affinity on storing), not on declared types.
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

// The collation that an expression asks for. A COLLATE operator anywhere in it is stronger than the collation of a
// column.
struct Collation {
  enum class Strength : std::uint8_t {
    none,      // an expression of its own: BINARY unless the other side asks for another
    column,    // a column, also under CAST or unary +
    explicit_  // has a COLLATE operator
  };
  // "BINARY", "NOCASE", "RTRIM", or a collation of the host's as written: the text is then the query's or the
  // catalog's.
  std::string_view name = "BINARY";
  Strength strength = Strength::none;

  // Equal names, ASCII case ignored, whatever the strength.
  bool same_order(const Collation& other) const;
};

struct ExprType {
  Affinity affinity = Affinity::none;
  Collation collation{};
  TypeSet types = types::any;

  bool may_be_null() const { return types.may_be_null(); }
};

// The affinity applied to both operands of left = right, left < right, left IS right and the like, before they compare:
// `text` and the numeric ones convert, `blob` and `none` do not. Of operand BETWEEN low AND high: of each half; of
// CASE x WHEN y: of x = y; of x IN (SELECT y): of x = y; of x IN (list): that of x alone (section 4.2).
Affinity comparison_affinity(const ExprType& left, const ExprType& right);

// The collation of the same comparison: an explicit one, the left one first, then a column's, the left one first, else
// BINARY. Of x IN (list): that of x alone. Of MIN and MAX, ORDER BY, GROUP BY and DISTINCT: that of the expression
// itself.
Collation comparison_collation(const ExprType& left, const ExprType& right);

// What a value of these types can be after `affinity` was applied to it, in a comparison or on storing (section 3.2).
TypeSet apply_affinity(TypeSet types, Affinity affinity);

// What CAST to a type of this affinity makes of a value of these types (https://sqlite.org/lang_expr.html#castexpr).
TypeSet cast_types(TypeSet types, Affinity affinity);

}  // namespace trustsql
