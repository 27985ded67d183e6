// The invariants of plans: what the comments of expr.hpp, rel.hpp and plan.hpp promise, and rules and to_sql() rely on.
//
// The structure alone is checked, not the meaning: a plan that lacks a condition of its query can be in order.
#pragma once

#include "base/result.hpp"
#include "plan/plan.hpp"

namespace trustsql::plan {

// Whether plans are verified unless something else is said: in debug builds. Tests say so themselves
// (NormaliseOptions::verify).
#ifdef NDEBUG
inline constexpr bool verify_by_default = false;
#else
inline constexpr bool verify_by_default = true;
#endif

// Success, or an error (internal) that names the operator or expression and the invariant that it violates: "Filter:
// the attribute 7 (age) is not visible". Checked are
//
//   attributes   each is produced once, and used only where it is visible: in the operators above the one that produces
//                it as far as they pass it on, in their subqueries, and on the right side of an Apply
//   columns      as many names as outputs; inputs of set operations and recursions as wide as their results; columns of
//                scans are those of the table
//   expressions  AND and OR are flat (see below) and have at least two terms; row values stand only where values are
//                compared one by one; functions in expressions are scalar, those of Aggregate and Window are not
//   operators    parts that must not be empty are there, and those that must be empty are
//
// An operator whose attributes are about to be renamed (RuleContext::rename_later) is not in order until that has
// happened.
//
// `flat`: whether AND and OR must be flat. Rules may leave an And in an And, which boolean_simplification makes one; so
// this holds for plans that have just been built, and for normalised ones.
Status verify(const Plan& plan, bool flat = true);

// Throws std::logic_error with the message of verify(), if there is one, after `step`: "after the rule sort_removal:
// Filter: ...".
void verify_or_throw(const Plan& plan, std::string_view step, bool flat = true);

}  // namespace trustsql::plan
