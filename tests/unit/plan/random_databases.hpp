// Small random databases on which queries that differ tend to give different results: those of the refuter
// (equiv/refuter/random_instance.hpp), for whole schemas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "equiv/refuter/value_pools.hpp"
#include "plan/plan.hpp"

namespace trustsql::testing_support {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

// Whether a database keeps what its schema declares but SQLite does not enforce.
enum class Manner {
  orderly,  // no NULL in primary keys, foreign keys kept, values of the declared types
  wild,     // anything that SQLite accepts
};

// Puts the rows of `instance` into the tables of `db`; those that a constraint rejects are left out.
void insert_rows(sqlite3* db, const equiv::DataModel& model, const equiv::Instance& instance);

class DatabaseMaker {
 public:
  // For the schema of `source` in `catalog`, with values that occur in the queries of `plans`.
  DatabaseMaker(sqlite3* source, const Catalog& catalog, const std::vector<const plan::Plan*>& plans);
  DatabaseMaker(const DatabaseMaker&) = delete;
  DatabaseMaker& operator=(const DatabaseMaker&) = delete;

  // A database in memory; every fourth is in UTF-16le.
  Database make(Manner manner, std::uint64_t seed) const;

 private:
  std::vector<std::string> ddl_;
  equiv::DataModel model_;
  equiv::ValuePools pools_;
};

}  // namespace trustsql::testing_support
