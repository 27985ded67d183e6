// Removes DISTINCT without effect.
//
// Law        distinct(R) = R if no two rows of R are equal; distinct(distinct(R)) = distinct(R) and so on, wherever
//            duplicates do not matter above
// Holds      the first if the columns contain a key, by unique indexes and what operators preserve of them, or R has
//            at most one row; for primary keys that may hold NULL, under the assumption that they do not. For columns
//            compared under BINARY.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample distinct_removal_example{
    .before = "SELECT DISTINCT id, name FROM p",
    .after = "Project p.id, p.name (Scan p (id, name))",
};
extern const Rule distinct_removal;

}  // namespace trustsql::plan::rules
