// The catalog of a connection, for tests: read with SQLite's own pragmas.
#pragma once

#include "db/catalog.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql::testing {

Catalog catalog_of(sqlite3* db);

}  // namespace trustsql::testing
