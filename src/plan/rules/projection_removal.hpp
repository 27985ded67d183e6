// Removes projections without effect.
//
// Law        project[all columns in order](R) = R; below an operator that refers to columns by name, also a projection
//            that only drops or reorders columns
// Holds      always: the operators above do not see the difference.
// Example    SELECT a FROM (SELECT b, a FROM t)   becomes   project[a](t) instead of project[a](project[b, a](t))
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule projection_removal;

}  // namespace trustsql::plan::rules
