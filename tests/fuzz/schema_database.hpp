// A database with a fixed schema and no rows, for the fuzz targets that read queries over it.
#pragma once

#include "db/catalog/catalog_reader.hpp"
#include "fuzz/check.hpp"
#include "unit/plan/random_databases.hpp"

namespace trustsql::fuzz {

struct SchemaDatabase {
  testing_support::Database db;
  Catalog catalog;

  // In memory, with the tables of the DDL text `schema`.
  explicit SchemaDatabase(const char* schema) {
    sqlite3* opened = nullptr;
    FUZZ_CHECK(sqlite3_open(":memory:", &opened) == SQLITE_OK);
    db.reset(opened);
    FUZZ_CHECK(sqlite3_exec(opened, schema, nullptr, nullptr, nullptr) == SQLITE_OK);
    auto read = read_catalog(opened);
    FUZZ_CHECK(read.ok());
    catalog = *std::move(read);
  }
};

}  // namespace trustsql::fuzz
