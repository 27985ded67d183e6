// One schema in memory: small databases that are put into it one after the other, and the results of queries on them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "unit/equiv/families/schema.hpp"
#include "unit/plan/random_databases.hpp"

namespace trustsql::families {

// INSERT statements; rows that a constraint rejects are left out.
using Filling = std::vector<std::string>;

// In which ways a database departs from what its schema suggests.
struct Departures {
  bool null_in_primary_key = false;
  bool orphan = false;
  bool other_type = false;
  bool null = false;
  bool empty_table = false;
  bool case_variants = false;
  std::set<std::string> not_numbers{};    // columns of texts ("t.a") that hold other values than texts of numbers
  std::set<std::string> not_integers{};   // or of integers
  std::set<std::string> not_dates{};      // columns ("t.a") that hold other values than texts of dates
  std::set<std::string> not_datetimes{};  // or of dates with a time
};

// Fillings that tell similar queries apart: few rows of few values, with every kind of departure.
std::vector<Filling> random_fillings(const Schema& schema, const std::vector<std::string>& values, int count,
                                     Picker& picker);

struct Rows {
  bool ok = false;  // false: the query failed, or took too long
  std::vector<std::vector<Value>> rows{};
};

// Rows without their values, for comparing many. Values of different storage classes are different; -0.0 is 0.0.
struct Outcome {
  bool ok = false;
  std::uint64_t list = 0;
  std::uint64_t bag = 0;
  std::uint64_t set = 0;
};

// How SQLite evaluates a query where it has a choice.
struct Way {
  bool reverse_scans = false;
  bool no_optimisations = false;
  bool no_automatic_index = false;
  bool more_indexes = false;  // one for each column of each table, with the other columns behind it, backwards
};

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

class Ground {
 public:
  // nullptr if SQLite rejects the schema.
  static std::unique_ptr<Ground> create(const Schema& schema);

  // The tables of `schema` that `script` creates, with its rows; nullptr if SQLite rejects it.
  static std::unique_ptr<Ground> replay(const Schema& schema, const std::string& script);

  const Schema& schema() const { return schema_; }
  const Catalog& catalog() const { return catalog_; }
  // The catalog of databases without NULL.
  const Catalog& catalog_without_nulls() const { return catalog_without_nulls_; }

  // nullptr if it does not prepare.
  Prepared prepare(const std::string& sql) const;
  // Replaces what is in the tables.
  Filling fill(const Filling& filling);
  Departures departures() const;
  // Restricted to these columns ("t.a").
  Departures departures(const std::set<std::string>& columns) const;
  Outcome outcome(sqlite3_stmt* statement) const;
  Rows run(const std::string& sql, Way way = {}) const;
  // All rows, the name of their table first.
  std::vector<std::vector<Value>> contents() const;
  // All texts that are stored.
  std::vector<std::string> texts() const;

 private:
  Ground(Schema schema, testing_support::Database db, Catalog catalog)
      : schema_(std::move(schema)),
        db_(std::move(db)),
        catalog_(std::move(catalog)),
        catalog_without_nulls_(catalog_.without_nulls()) {}

  Schema schema_;
  testing_support::Database db_;
  int patience_ = 50;  // how long a query may take: thousands of steps of SQLite's virtual machine
  Catalog catalog_;
  Catalog catalog_without_nulls_;
};

}  // namespace trustsql::families
