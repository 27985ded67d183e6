// A GROUP BY without keys, over an input that is never empty, changes nothing.
//
// Law        group[](calls)(R) = aggregate[calls](R), if R has a row
// Holds      since both have exactly one row then; over an empty input the second alone has one.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample single_group_example{
    .before = "SELECT count(*) FROM (SELECT max(age) FROM p) GROUP BY 'x'",
    .prepared_by = "constant_key_removal derived_table_inlining",
    .after =
        "Project count (Project 'x' AS expr, count (Aggregate count(*) AS count (Project max (Aggregate max(p.age) AS "
        "max (Scan p (age))))))",
};
extern const Rule single_group;

}  // namespace trustsql::plan::rules
