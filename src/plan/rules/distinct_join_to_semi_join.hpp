// Joins with distinct rows of which all columns are compared are semi-joins.
//
// Law        R JOIN[r = d] distinct(project[d](S)) = R semi-join[r = d] project[d](S), with r in the place of d above
// Holds      if each column of the distinct rows is equal to one of R, and nothing else is said of them: then a row of
// R has one
//            partner at most, and DISTINCT does not matter to whether it has one. For columns that compare as they are,
//            with BINARY, and of which equal ones are the same in every respect.
// Example    SELECT p.name FROM p JOIN (SELECT DISTINCT pid FROM c) AS d ON p.id = d.pid   becomes   p semi-join[id =
// pid] c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule distinct_join_to_semi_join;

}  // namespace trustsql::plan::rules
