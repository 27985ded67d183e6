// An empty database and what SQLite says about a query on it, for the fuzz targets that compare with SQLite.
#pragma once

#include <optional>
#include <string>

#include "db/sqlite/sqlite_api.hpp"
#include "unit/sql/sqlite_syntax.hpp"

namespace trustsql::fuzz {

// One connection for the whole process, with tables t(a, b, c), u(a, d), v(x, y) and an index.
inline sqlite3* oracle() {
  static sqlite3* const db = [] {
    sqlite3* opened = nullptr;
    sqlite3_open(":memory:", &opened);
    sqlite3_exec(opened,
                 "CREATE TABLE t(a, b, c); CREATE TABLE u(a, d); CREATE TABLE v(x PRIMARY KEY, y TEXT) WITHOUT ROWID; "
                 "CREATE INDEX i ON t(b)",
                 nullptr, nullptr, nullptr);
    sqlite3_limit(opened, SQLITE_LIMIT_VDBE_OP,
                  100000);  // not of interest here: programs that grow exponentially with the query
    return opened;
  }();
  return db;
}

}  // namespace trustsql::fuzz
