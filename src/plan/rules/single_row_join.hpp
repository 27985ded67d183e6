// Joins with one row without columns, which is what a SELECT without FROM reads.
//
// Law        R JOIN {()} = R; values[(e1, ...)] = project[e1, ...]({()}); an aggregate without GROUP BY and without
//            calls = {()}
// Holds      always; with conditions the join becomes a filter.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample single_row_join_example{
    .before = "SELECT name, x FROM p, (SELECT 5 AS x)",
    .prepared_by = "derived_table_inlining projection_pull_up",
    .after = "Project p.name, 5 AS expr (Scan p (name))",
};
extern const Rule single_row_join;

}  // namespace trustsql::plan::rules
