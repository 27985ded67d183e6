// IN (SELECT ...) inside an expression becomes EXISTS if NULL does not matter.
//
// Law        x IN (S) = EXISTS (filter[x = y](S)), where y is the column of S; NOT IN likewise; row values with a
//            condition for each column
// Holds      if neither x nor y is ever NULL; for IN, but not NOT IN, also if only truth matters. x must be
//            repeatable, since it may be evaluated for each row of S.
// Example    WHERE age = 1 OR id IN (SELECT pid FROM c)
//            becomes   WHERE age = 1 OR EXISTS (SELECT 1 FROM c WHERE pid = id)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule in_to_exists;

}  // namespace trustsql::plan::rules
