// Reads a Catalog from a connection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

// The schemas of `db` in the order in which SQLite resolves names, with their schema cookies.
Result<std::vector<Catalog::Schema>> read_schema_cookies(sqlite3* db);

// What the owner of a connection does while its catalog is read. Either may be empty.
struct CatalogGuard {
  // Called with true before SQLite lists the tables, and with false afterwards. SQLite prepares a SELECT from each view
  // then, and lists the view all the same where an authorizer denies that.
  std::function<void(bool)> deny_selects{};
  std::function<bool()> must_stop{};  // asked before each table
};

// The catalog of all databases of `db`, which should not change meanwhile (a read transaction ensures that). A view or
// virtual table whose columns cannot be determined is included, with the reason in Table::error. Errors: as
// sqlite_error(); interrupted.
Result<Catalog> read_catalog(sqlite3* db, const CatalogGuard& guard = {});

// The eponymous virtual table `name` of `db` (https://sqlite.org/vtab.html#epovtab), which this call connects; nullopt
// if no module has an eponymous table of that name, or a temporary table hides it. Errors: as sqlite_error().
Result<std::optional<Table>> read_eponymous_table(sqlite3* db, std::string_view name);

}  // namespace trustsql
