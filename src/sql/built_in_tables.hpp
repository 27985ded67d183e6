// The tables that a FROM clause can name: those of the catalog and those built into SQLite.
#pragma once

#include <string_view>

#include "db/catalog/catalog.hpp"

namespace trustsql {

// The table, view or virtual table `name` of `schema`, or of any schema if that is empty: temp first, then main, then
// the attached ones in order. nullptr if there is none. This includes sqlite_schema under its other names, json_each
// and json_tree, and the table-valued forms of PRAGMA (https://sqlite.org/pragma.html#pragfunc), for which SQLite
// ignores `schema`. It does not include generate_series, dbstat and the like, which belong to programs and extensions;
// see ResolveOptions::find_eponymous.
const Table* find_table(const Catalog& catalog, std::string_view schema, std::string_view name);

// The name that qualifies its columns if it has no alias: its own name, except that sqlite_schema has its old name.
std::string_view name_in_sqlite(const Table& table);

}  // namespace trustsql
