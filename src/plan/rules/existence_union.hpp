// Existence tests of unions and of alternatives.
//
// Law        EXISTS (A UNION ALL B) = EXISTS A OR EXISTS B, the same for UNION;
//            x IN (A UNION ALL B) = x IN A OR x IN B; with NOT, the tests are joined by AND;
//            EXISTS (filter[r AND p](R)) OR EXISTS (filter[r AND q](R)) = EXISTS (filter[r AND (p OR q)](R))
// Holds      in three-valued logic. For IN (A UNION B) only if equal values are one value under the collation of the
//            union, BINARY, and stay so where IN converts them: not 1 and 1.0 as texts. x must be repeatable, the
//            unions have few parts. In the last, both must read the same tables, and no condition may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample existence_union_example{
    .before =
        "SELECT name FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND c.v = 1) OR EXISTS (SELECT 1 FROM "
        "c WHERE c.pid = p.id AND c.w = 'x')",
    .prepared_by = "conjunct_simplification",
    .after =
        "Project p.name (Filter EXISTS (SELECT * FROM subquery1) (Scan p (id, name), subquery1: Filter c.pid = p.id "
        "AND (c.v = 1 OR c.w = 'x') (Scan c (pid, v, w))))",
};
extern const Rule existence_union;

}  // namespace trustsql::plan::rules
