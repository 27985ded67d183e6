// Groups of one row each are the rows.
//
// Law        group[id](count(*), max(x)) = project[id, 1, x]
// Holds      if the keys contain a key of the rows, compared under BINARY; for primary keys that may hold NULL, under
//            the assumption that they do not. For COUNT, MIN, MAX, bare columns and SUM of integers, without FILTER.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample group_by_removal_example{
    .before = "SELECT id, count(*), max(age) FROM p GROUP BY id",
    .after = "Project p.id, expr, expr_2 (Project p.id, 1 AS expr, p.age AS expr_2 (Scan p (id, age)))",
};
extern const Rule group_by_removal;

}  // namespace trustsql::plan::rules
