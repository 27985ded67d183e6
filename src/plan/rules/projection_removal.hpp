// Removes projections without effect.
//
// Law        project[all columns in order](R) = R; below an operator that refers to columns by name, also a projection
//            that only drops or reorders columns
// Holds      always: the operators above do not see the difference.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample projection_removal_example{
    .before = "SELECT age FROM (SELECT name, age FROM p)",
    .prepared_by = "derived_table_inlining",
    .after = "Project p.age (Scan p (name, age))",
};
extern const Rule projection_removal;

}  // namespace trustsql::plan::rules
