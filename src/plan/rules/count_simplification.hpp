// Aggregates in their simplest form.
//
// Law        count(x) = count(*) if x is never NULL; min(DISTINCT x) = min(x), the same for max;
//            count(*) FILTER (WHERE x IS NOT NULL AND p) = count(x) FILTER (WHERE p), f(x) FILTER (WHERE x IS NOT NULL
//            AND p) = f(x) FILTER (WHERE p);
//            count(DISTINCT x) = count(x), the same for sum, avg and total, if no two rows of a group have the same x;
//            over R LEFT JOIN[p] S, count(x) = count(y) for columns x and y of S that are NULL only if there is no
//            match: the first of these columns that p uses is chosen; count(x) FILTER (WHERE q) = count(*) FILTER
//            (WHERE q) for such an x if q is not true without a match; avg(CAST(x AS REAL)) = avg(x), total(CAST(x AS
//            REAL)) = total(x)
// Holds      the first with respect to every outer join below: columns that a left join may fill with NULLs may be
//            NULL. The tests in a FILTER for COUNT, SUM, AVG, TOTAL, MIN and MAX, for the last two without bare
//            columns. DISTINCT is dropped if x and the keys of the groups contain a key of the rows, compared under
//            BINARY; for primary keys that may hold NULL, under the assumption that they do not. The last before
//            SQLite 3.43, where AVG and TOTAL add up reals, whatever their arguments are, and convert text as CAST
//            does; not with DISTINCT. From 3.43 on they add up integers exactly, so that values above 2^53 tell the two
//            apart.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample count_simplification_example{
    .before = "SELECT count(id) FROM p",
    .after = "Project count (Aggregate count(*) AS count (Scan p (id)))",
};
extern const Rule count_simplification;

}  // namespace trustsql::plan::rules
