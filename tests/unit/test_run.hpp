// What tests share: whether this is a slow run, a stop function that never stops, and what needs a newer SQLite.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>

// Skips a test of syntax that SQLite 3.38 and 3.39 added (RIGHT and FULL JOIN, HAVING without GROUP BY, ->), or of what
// SQLite has done since then.
#define TRUSTSQL_SKIP_BEFORE_3_39() \
  if (sqlite3_libversion_number() < 3039000) GTEST_SKIP() << "SQLite " << sqlite3_libversion()

namespace trustsql {

// Whether TRUSTSQL_TEST_SLOW is set: the long forms of tests on random and real queries.
inline bool is_slow_run() { return std::getenv("TRUSTSQL_TEST_SLOW") != nullptr; }

inline bool never_stop() { return false; }

}  // namespace trustsql
