// Two queries, run on random databases: what the prover says about them against what SQLite does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equiv/prover.hpp"
#include "unit/plan/random_databases.hpp"

namespace trustsql::testing_support {

// The databases of one schema, made for the queries that were added.
class PairTester {
 public:
  // `source` has the schema. Precondition: it outlives this.
  explicit PairTester(sqlite3* source);

  const Catalog& catalog() const { return catalog_; }

  // The plan of a query, whose values go into the databases; nullopt if it does not prepare or cannot be planned.
  std::optional<plan::Plan> plan(const std::string& sql);

  // Makes `count` databases of each kind.
  void make_databases(int count, std::uint64_t seed);

  struct Outcome {
    int runs = 0;              // databases on which neither query failed
    std::string difference{};  // empty: the same everywhere; otherwise a database and both results
  };
  // `orderly_only`: leaves out the databases that do not keep what their schema declares.
  Outcome compare(const std::string& a, const std::string& b, bool orderly_only, bool ordered);

 private:
  struct Made {
    Database db;
    Manner manner;
  };
  sqlite3* source_;
  Catalog catalog_;
  std::vector<plan::Plan> plans_;
  std::vector<Made> databases_;
};

}  // namespace trustsql::testing_support
