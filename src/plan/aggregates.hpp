// What SQLite's aggregate functions do (https://sqlite.org/lang_aggfunc.html).
#pragma once

#include <optional>

#include "plan/rel.hpp"

namespace trustsql::plan {

// Whether the call is one of COUNT, SUM, AVG, TOTAL, MIN and MAX: it passes NULLs over, and the order of the rows does
// not matter to it.
bool is_basic(const AggregateCall& call);

// What such a call gives where it sees nothing but NULLs, or no row; nullopt for other calls.
std::optional<Value> value_of_nothing(const AggregateCall& call);

}  // namespace trustsql::plan
