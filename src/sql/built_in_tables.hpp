// Where a FROM clause finds its tables: in the catalog, and beyond it among those that every SQLite has.
#pragma once

#include <string_view>

#include "db/catalog.hpp"

namespace trustsql {

// The table, view or virtual table `name` of `schema`, or of any schema if that is empty: temp first, then main, then
// the attached ones in their order. nullptr if there is none. Also found are sqlite_schema under its other names,
// json_each and json_tree, and the table-valued forms of PRAGMA (https://sqlite.org/pragma.html#pragfunc), for which
// SQLite lets `schema` be anything. (Not found, as they belong to programs and extensions: generate_series, dbstat and
// the like; see ResolveOptions::find_eponymous.)
const Table* find_table(const Catalog& catalog, std::string_view schema, std::string_view name);

// What a query has to call it if it has no alias: its name, only that sqlite_schema goes by its old one.
std::string_view name_in_sqlite(const Table& table);

}  // namespace trustsql
