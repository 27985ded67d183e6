// A column under another name is the column.
//
// Law        project[y = x](R) = project[x](R), with x for y above
// Holds      always: an attribute is a name for a value.
// Example    SELECT id FROM p INTERSECT SELECT pid FROM c   has the column id of p in its result
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule projection_renaming;

}  // namespace trustsql::plan::rules
