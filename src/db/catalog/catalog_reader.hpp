// Reads a Catalog from a connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sandbox/authorizer.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

// The schemas of `db` in the order in which SQLite resolves names, with their schema cookies.
Result<std::vector<Catalog::Schema>> read_schema_cookies(sqlite3* db);

// The catalog of all databases of `db`, which should not change meanwhile (a read transaction ensures that). A view or
// virtual table whose columns cannot be determined is included, with the reason in Table::error. `authorizer`, if `db`
// has one, keeps SQLite from preparing a query of each view, and `must_stop` is asked before each table. Errors: as
// sqlite_error(); interrupted.
Result<Catalog> read_catalog(
    sqlite3* db, Authorizer* authorizer = nullptr, FunctionRef<bool()> must_stop = [] { return false; });

// The eponymous virtual table `name` of `db` (https://sqlite.org/vtab.html#epovtab), which this call connects; nullopt
// if no module has an eponymous table of that name, or a temporary table hides it. Errors: as sqlite_error().
Result<std::optional<Table>> read_eponymous_table(sqlite3* db, std::string_view name);

}  // namespace trustsql
