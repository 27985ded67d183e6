// A limit on an input of UNION ALL that the limit above repeats.
//
// Law        limit[n](sort[k](R UNION ALL limit[m](sort[k](S)))) = limit[n](sort[k](R UNION ALL S)), n <= m
// Holds      for integer literals, n including the rows that are skipped, m without an offset; if every column is one
//            of the keys k, compared under BINARY, to one spelling: which of tied rows come first must not matter.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample limit_in_union_example{
    .before =
        "SELECT age FROM (SELECT * FROM (SELECT age FROM p ORDER BY age LIMIT 3) UNION ALL SELECT v FROM c) "
        "ORDER BY age LIMIT 3",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Limit 3 (Sort by column (UnionAll (Scan p (age), Scan c (v))))",
};
extern const Rule limit_in_union;

}  // namespace trustsql::plan::rules
