// Filters move below projections.
//
// Law        filter[p(x)](project[x = e](R)) = project[x = e](filter[p(e)](R)), where p(e) is p(x) with x replaced by
//            e
// Holds      if e is neither random nor contains a subquery; comparisons keep their affinity and collation, which are
//            stored in the plan. Not for expressions so large that copying them would make the plan too large.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample filter_pushdown_project_example{
    .before = "SELECT a FROM (SELECT age + 1 AS a FROM p) WHERE a > 30",
    .prepared_by = "derived_table_inlining",
    .after = "Project expr (Project p.age + 1 AS expr (Filter p.age + 1 > 30 (Scan p (age))))",
};
extern const Rule filter_pushdown_project;

}  // namespace trustsql::plan::rules
