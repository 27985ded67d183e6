// What SQLite's aggregate functions do (https://sqlite.org/lang_aggfunc.html).
#pragma once

#include <optional>

#include "plan/rel.hpp"

namespace trustsql::plan {

// Whether the call is one of COUNT, SUM, AVG, TOTAL, MIN and MAX: it skips NULLs, and its result does not depend on the
// order of the rows.
bool is_basic(const AggregateCall& call);

// The result of such a call over no rows, or over NULLs only; nullopt for other calls.
std::optional<Value> value_over_empty_input(const AggregateCall& call);

}  // namespace trustsql::plan
