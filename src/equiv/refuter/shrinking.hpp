// Makes a database smaller and its values simpler for as long as something holds.
#pragma once

#include "base/function_ref.hpp"
#include "base/result.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

// Drops rows of `instance`, in large pieces first, then one by one, then replaces values by simple ones. Each change
// stays if `holds` (which is asked at most `max_questions` times) says so of its outcome. Errors: of `holds`.
Status shrink(const DataModel& model, const ValuePools& pools, Instance& instance, int max_questions,
              FunctionRef<Result<bool>(const Instance&)> holds);

}  // namespace trustsql::equiv
