// What is known of values before they are computed: the types of expressions, and when a comparison converts nothing
// and takes only identical values for equal.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// The storage classes that `expr` can have: an upper bound. Attributes in `non_null` are not NULL, all others may be.
TypeSet types_of(const Expr& expr, const Plan& plan, const AttributeSet& non_null);

// Whether `expr` is never NULL where the attributes in `non_null` are not.
bool is_non_null(const Expr& expr, const Plan& plan, const AttributeSet& non_null);

// An affinity that changes no value of `expr` (as Attribute::storage), `none` if none is known.
Affinity storage_of(const Expr& expr, const Plan& plan);

// Whether applying `affinity` (of a Comparison) may change the value of `expr`.
bool converts(const Expr& expr, Affinity affinity, const Plan& plan);

// Whether left and right compare by value alone: neither is converted, and texts are equal only if they are the same.
// Then = is transitive with other plain comparisons of the same operands.
bool is_plain(const Compare& compare, const Plan& plan);

// Whether two values of `expr` that are equal under BINARY without conversion are always the same in every respect. Not
// so where 1 and 1.0 may both occur.
bool equal_is_identical(const Expr& expr, const Plan& plan);
// The same of a value of `a` and one of `b`.
bool equal_is_identical(const Expr& a, const Expr& b, const Plan& plan);

// How x op y compares in SQL where x and y have these natural types; built-in collations by their canonical names,
// others as they are.
Comparison natural_comparison(const ExprType& left, const ExprType& right);
// "BINARY", "NOCASE", "RTRIM" for these in any case, else `name`.
std::string_view canonical_collation(std::string_view name);
// The affinity that the expression has in SQL (https://sqlite.org/datatype3.html, section 3.2), but for a unary plus,
// which takes it away and is not in a plan.
Affinity affinity_of(const Expr& expr, const Plan& plan);
// none, text or numeric.
Affinity effective_affinity(Affinity affinity);

}  // namespace trustsql::plan
