// The functions and collations of a connection.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

struct HostFunction {
  std::string name;
  int arguments = 0;      // -1: any number
  bool built_in = false;  // part of SQLite, rather than registered with this connection
  enum class Kind { scalar, aggregate, window } kind = Kind::scalar;  // window: an aggregate that takes OVER as well
};

// All functions of the connection, SQLite's own included (PRAGMA function_list); none if SQLite was compiled without
// this pragma (SQLITE_OMIT_INTROSPECTION_PRAGMAS). Error: as sqlite_error() describes it.
Result<std::vector<HostFunction>> read_functions(sqlite3* db);

// The names of those of SQLite's functions in whose place the connection has registered its own, in small letters and
// alphabetical order; like() is one after PRAGMA case_sensitive_like, as nothing tells the two apart. From SQLite 3.38
// on, where PRAGMA function_list is there; before and otherwise none. Error: as sqlite_error() describes it.
Result<std::vector<std::string>> read_replaced_functions(sqlite3* db);

// The names of the connection's collations (PRAGMA collation_list). Error: as sqlite_error() describes it.
Result<std::vector<std::string>> read_collations(sqlite3* db);

}  // namespace trustsql
