// Makes a database smaller and its values simpler as long as a property holds.
#pragma once

#include "base/function_ref.hpp"
#include "base/result.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

// Drops rows of `instance`, first in large chunks, then one by one, and then replaces values by simple ones. Each
// change is kept if `holds` (called at most `max_questions` times) returns true for its result. Errors: those of
// `holds`.
Status shrink(const DataModel& model, const ValuePools& pools, Instance& instance, int max_questions,
              FunctionRef<Result<bool>(const Instance&)> holds);

}  // namespace trustsql::equiv
