// The rows of a table for which no row has a greater value are those with the maximum.
//
// Law        R ANTI JOIN[s.p = r.p, s.x > r.x] S = project[R](R JOIN[r.p = q, r.x = m] group[q = s.p, m =
// max(s.x)](S));
//            without p, R ANTI JOIN[s.x > r.x] S = project[R](R JOIN[r.x = m] aggregate[m = max(s.x)](S)); min for s.x
//            < r.x
// Holds      if S is a table, or another relation that is not random, and r.p, r.x are its columns s.p, s.x in a row of
//            it that is part of R: then r.x is one of the values. A table may be filtered by conditions that R has as
//            well. For r.p and r.x that are never NULL, compared under BINARY without conversion.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample anti_join_to_extreme_example{
    .before = "SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM p AS o WHERE o.id > p.id)",
    .prepared_by = "negation_pushdown exists_to_semi_join comparison_conversion",
    .after =
        "Project p.name (Project p.id, p.name (Join inner on p.id = max (Scan p (id, name), Aggregate max(p_2.id) AS "
        "max (Scan p AS p_2 (id)))))",
};
extern const Rule anti_join_to_extreme;

}  // namespace trustsql::plan::rules
