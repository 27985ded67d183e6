// The question whether a subquery has a value, if its values are never NULL, is whether it has a row.
//
// Law        (SELECT x FROM R) IS NOT NULL = EXISTS (SELECT x FROM R); with IS NULL it is NOT EXISTS
// Holds      if x is never NULL in R, which is not random: without a row the subquery is NULL. For parts of primary
//            keys, under the assumption that they hold no NULL.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample null_test_to_exists_example{
    .before = "SELECT name FROM p WHERE (SELECT 1 FROM c WHERE c.pid = p.id LIMIT 1) IS NULL",
    .after =
        "Project p.name (Filter NOT EXISTS (SELECT * FROM subquery1) (Scan p (id, name), subquery1: Filter c.pid = "
        "p.id (Scan c (pid))))",
};
extern const Rule null_test_to_exists;

}  // namespace trustsql::plan::rules
