// An order of expressions and relations that does not depend on attribute numbers: the canonical order in which the
// normaliser puts what may stand in any order.
//
// Attributes compare by where they come from: a table's column, or the expression that computes them
// (Attribute::shape). Two uses of one table are therefore equal here.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// < 0, 0 or > 0 as `a` comes before, beside or after `b`.
int compare_shape(const Expr& a, const Expr& b, const Plan& plan);
int compare_shape(const Rel& a, const Rel& b, const Plan& plan);
int compare_shape(const SortKey& a, const SortKey& b, const Plan& plan);
int compare_shape(AttributeId a, AttributeId b, const Plan& plan);

// Equal for equal shapes. Not the same in another build: for telling apart only, not for keeping.
std::uint64_t shape_hash(const Expr& expr, const Plan& plan, std::uint64_t seed = 0);
std::uint64_t shape_hash(const Rel& rel, const Plan& plan, std::uint64_t seed = 0);

}  // namespace trustsql::plan
