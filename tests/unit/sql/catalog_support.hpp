// The catalog of a connection, for tests.
#pragma once

#include "db/catalog.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql::testing_support {

Catalog read_catalog(sqlite3* db);

}  // namespace trustsql::testing_support
