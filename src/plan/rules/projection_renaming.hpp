// A renamed column is replaced by the original column.
//
// Law        project[y = x](R) = project[x](R), with x replacing y above
// Holds      always: an attribute is a name for a value.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample projection_renaming_example{
    .before = "SELECT id FROM p INTERSECT SELECT pid FROM c",
    .prepared_by = "set_operation_simplification",
    .after =
        "Distinct (Project p.id (Join semi on p.id IS c.pid (Project p.id (Scan p (id)), Project c.pid (Scan c "
        "(pid)))))",
};
extern const Rule projection_renaming;

}  // namespace trustsql::plan::rules
