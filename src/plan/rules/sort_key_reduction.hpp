// Removes sort keys that decide nothing, and sorting of at most one row.
//
// Law        sort[k1, ..., kn](R) = sort without ki, if k1, ..., ki-1 determine ki: it is constant, equal to one of
//            them, or depends on them through a key of a table
// Holds      for dependencies under BINARY, so if k1, ..., ki-1 sort under BINARY. For primary keys that may hold
//            NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sort_key_reduction_example{
    .before = "SELECT name FROM p ORDER BY id, age",
    .after = "Project p.name (Sort by p.id (Project p.name, p.id, p.age (Scan p (id, name, age))))",
};
extern const Rule sort_key_reduction;

}  // namespace trustsql::plan::rules
