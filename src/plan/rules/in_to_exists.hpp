// IN (SELECT ...) inside an expression becomes EXISTS if NULL does not matter.
//
// Law        x IN (S) = EXISTS (filter[x = y](S)), where y is the column of S; NOT IN likewise; row values with a
//            condition for each column
// Holds      if neither x nor y is ever NULL; for IN, but not NOT IN, also if only truth matters. x must be
//            repeatable, since it may be evaluated for each row of S.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample in_to_exists_example{
    .before = "SELECT name FROM p WHERE age = 1 OR id IN (SELECT pid FROM c)",
    .after =
        "Project p.name (Filter p.age = 1 OR EXISTS (SELECT * FROM subquery1) (Scan p (id, name, age), subquery1: "
        "Filter p.id = c.pid (Scan c (pid))))",
};
extern const Rule in_to_exists;

}  // namespace trustsql::plan::rules
