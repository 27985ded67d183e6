// A renamed column is replaced by the original column.
//
// Law        project[y = x](R) = project[x](R), with x replacing y above
// Holds      always: an attribute is a name for a value.
// Example    SELECT id FROM p INTERSECT SELECT pid FROM c   has the column id of p in its result
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule projection_renaming;

}  // namespace trustsql::plan::rules
