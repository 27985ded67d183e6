// An order of expressions and relations that does not depend on attribute numbers. The normaliser sorts by it whatever
// has no fixed order.
//
// Attributes compare by their origin: a table's column, or the expression that computes them (Attribute::shape). So two
// uses of the same table are equal here.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// < 0, 0 or > 0 if `a` comes before, ties with or comes after `b`.
int compare_shape(const Expr& a, const Expr& b, const Plan& plan);
int compare_shape(const Rel& a, const Rel& b, const Plan& plan);
int compare_shape(const SortKey& a, const SortKey& b, const Plan& plan);
int compare_shape(AttributeId a, AttributeId b, const Plan& plan);

// Equal for equal shapes. The value may differ between builds: use it for comparison only, never store it.
std::uint64_t shape_hash(const Expr& expr, const Plan& plan, std::uint64_t seed = 0);
std::uint64_t shape_hash(const Rel& rel, const Plan& plan, std::uint64_t seed = 0);

}  // namespace trustsql::plan
