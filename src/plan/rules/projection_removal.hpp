// Projections that change nothing go.
//
// Law        project[all columns in order](R) = R; below an operator that names its columns, a projection that only
// leaves
//            columns out or reorders them may go
// Holds      always: whoever is above does not see the difference.
// Example    SELECT a FROM (SELECT b, a FROM t)   becomes   project[a](t) in place of project[a](project[b, a](t))
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule projection_removal;

}  // namespace trustsql::plan::rules
