// DISTINCT that changes nothing goes.
//
// Law        distinct(R) = R if no two rows of R are equal; distinct(distinct(R)) = distinct(R) and the like, wherever
// it does not
//            matter above whether a row is there once or several times
// Holds      the first if the columns contain a key, by unique indexes and what operators keep of them, or R has at
// most one row;
//            of primary keys that may hold NULL under the assumption that they do not. For columns compared with
//            BINARY.
// Example    SELECT DISTINCT id, name FROM singer   becomes   SELECT id, name FROM singer
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule distinct_removal;

}  // namespace trustsql::plan::rules
