// Distinct rows left joined with distinct rows are the distinct joined rows.
//
// Law        distinct(R) LEFT JOIN[p] distinct(S) = distinct(R LEFT JOIN[p] S), and distinct(R) LEFT JOIN[p] S =
//            distinct(R LEFT JOIN[p] S) if no two rows of S are equal
// Holds      if equal values of R and S are identical, so that it does not matter which of equal rows is kept, and p is
//            not random. A row of R without a match occurs once, filled with NULLs; one with a match is never filled.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample distinct_above_left_join_example{
    .before = "SELECT * FROM (SELECT DISTINCT city FROM p) LEFT JOIN (SELECT DISTINCT w FROM c) ON w = city",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Distinct (Join left on c.w = p.city (Scan p (city), Scan c (w)))",
};
extern const Rule distinct_above_left_join;

}  // namespace trustsql::plan::rules
