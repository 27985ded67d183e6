// Queries before and after rewriting, run on random databases: the oracle of the tests of rules.
//
// A disagreement counts unless the original query itself leaves its result open: a LIMIT without a total order, bare
// columns, window functions over ties, 1 and 1.0 merged by DISTINCT, and so on (plan::order_dependence). For those a
// disagreement is counted separately, as `loose` if the original query disagrees with itself once SQLite reads tables
// backwards, otherwise as `doubtful`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/normaliser.hpp"
#include "unit/plan/random_databases.hpp"

namespace trustsql::testing_support {

struct QueryRows {
  bool ok = false;
  std::string message{};            // if not ok
  std::vector<std::string> list{};  // a text for each row
  std::vector<std::string> bag{};   // the same, sorted
};

struct Verdict {
  enum class Outcome { same, skipped, loose, doubtful, different };
  Outcome outcome = Outcome::same;
  int runs = 0;  // databases on which both queries ran
  std::string difference{};
};

class RuleOracle {
 public:
  // Databases for the schema of `source`, `count` of each kind, with values that occur in the queries of `plans`.
  RuleOracle(sqlite3* source, const Catalog& catalog, const std::vector<const plan::Plan*>& plans, int count,
             std::uint64_t seed);

  struct Original {
    std::string sql;
    bool ordered = false;  // the result is a list
    bool total = false;    // without ties, whatever the rows; for a loose query, only given the rows that it chose
    bool loose = false;
    std::vector<QueryRows> rows{};  // one for each database
  };
  Original run(const std::string& sql, const plan::Plan& plan);

  // Whether `sql` gives the same. `orderly_only`: it relies on constraints that only orderly databases satisfy.
  Verdict compare(const Original& original, const std::string& sql, bool orderly_only);

 private:
  struct Entry {
    Database db;
    Manner manner;
  };
  std::vector<Entry> databases_;
};

}  // namespace trustsql::testing_support
