// Reads a Catalog from a connection.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "db/catalog.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql {

// The schemas of `db` in the order in which SQLite resolves names, with their schema cookies.
Result<std::vector<Catalog::Schema>> read_schema_cookies(sqlite3* db);

// The catalog of all databases of `db`, which should not change meanwhile (a read transaction sees to that).
// A view or virtual table whose columns cannot be found is part of it, with the reason in Table::error.
// Errors: as sqlite_error().
Result<Catalog> read_catalog(sqlite3* db);

}  // namespace trustsql
