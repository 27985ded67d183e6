// Static properties of values: the types of expressions, and when a comparison converts nothing and considers only
// identical values equal.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// The storage classes that `expr` can have: an upper bound. Attributes in `non_null` are not NULL; all others may be.
TypeSet types_of(const Expr& expr, const Plan& plan, const AttributeSet& non_null);

// Whether `expr` is never NULL if the attributes in `non_null` are not NULL.
bool is_non_null(const Expr& expr, const Plan& plan, const AttributeSet& non_null);

// An affinity that changes no value of `expr` (as Attribute::storage), `none` if none is known.
Affinity storage_of(const Expr& expr, const Plan& plan);

// Whether applying `affinity` (of a Comparison) may change the value of `expr`.
bool converts(const Expr& expr, Affinity affinity, const Plan& plan);

// Whether left and right compare by value alone: neither is converted, and texts are equal only if they are identical.
// Then = is transitive with other plain comparisons of the same operands.
bool is_plain(const Compare& compare, const Plan& plan);

// Whether two values of `expr` that are equal under BINARY without conversion are always identical. False if 1 and 1.0
// may both occur, or 0.0 and -0.0.
bool equal_is_identical(const Expr& expr, const Plan& plan);
// The same for a value of `a` and a value of `b`.
bool equal_is_identical(const Expr& a, const Expr& b, const Plan& plan);

// Whether a value of `expr` may be the real -0.0, which is equal to 0.0 and can be told apart by pow() and atan2().
bool may_be_negative_zero(const Expr& expr, const Plan& plan);

// How x op y compares in SQL if x and y have these types. Built-in collations have their canonical names, others keep
// their spelling.
Comparison natural_comparison(const ExprType& left, const ExprType& right);
// "BINARY", "NOCASE" or "RTRIM" if `name` is one of them in any letter case, otherwise `name`.
std::string_view canonical_collation(std::string_view name);
// The affinity that the expression has in SQL (https://sqlite.org/datatype3.html, section 3.2), except that unary plus,
// which would remove it, does not occur in a plan.
Affinity affinity_of(const Expr& expr, const Plan& plan);
// none, text or numeric.
Affinity effective_affinity(Affinity affinity);

}  // namespace trustsql::plan
