// What tests share: whether this is a slow run, and a stop function that never stops.
#pragma once

#include <cstdlib>

namespace trustsql {

// Whether TRUSTSQL_TEST_SLOW is set: the long forms of tests on random and real queries.
inline bool is_slow_run() { return std::getenv("TRUSTSQL_TEST_SLOW") != nullptr; }

inline bool never_stop() { return false; }

}  // namespace trustsql
