// Whether two queries give the same results in a database, as far as SQL determines the result of a query.
#pragma once

#include <string>
#include <vector>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql::testing_support {

enum class Agreement {
  same,       // the same rows; in the same order if the first query asks for one
  unordered,  // the same rows in another order, although the first query asks for one: it has ties
  loose,      // other rows, but the first query's result depends on an unspecified order
  failed,     // the first query fails, or takes too long: no verdict
  different,
};

struct Compared {
  Agreement outcome = Agreement::same;
  std::size_t rows = 0;      // of the first query
  std::string difference{};  // in words
  bool runs = true;          // whether the second query runs; its failure is never explained by loose results
};

struct CompareOptions {
  bool ordered = false;        // the first query has ORDER BY at its outermost level
  bool exact_reals = true;     // false: they may differ in their last digits, and 1.0 counts as 1
  int max_steps = 20'000'000;  // of SQLite's virtual machine
};

// Runs both; if they differ, runs the first again with unordered scans reversed and without SQLite's optimisations:
// if its own result changes, the difference is loose.
Compared compare_results(sqlite3* db, const std::string& first, const std::string& second,
                         const CompareOptions& options = {});

// Fills `tables` of the main database of `db` with a few random rows each. `values` are literals to choose from in
// addition to small numbers and NULL. Rows that a constraint rejects are left out.
void fill_at_random(sqlite3* db, const std::vector<std::string>& tables, const std::vector<std::string>& values,
                    unsigned seed);

}  // namespace trustsql::testing_support
