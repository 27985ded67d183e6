// Small random databases on which queries that differ tend to give different results.
//
// Values come from the constants that the queries compare a column with, from their neighbours (one more and one less,
// another case, the same digits as text) and from a few values that all columns share; columns that queries compare with
// each other, and foreign keys and their parents, draw from one pool. Tables have 0 to 8 rows, with duplicates and NULLs.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "db/catalog.hpp"
#include "db/sqlite_api.hpp"
#include "plan/plan.hpp"

namespace trustsql::testing_support {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

// What the plans of queries tell of the values of columns.
class ValueHints {
 public:
  void learn(const plan::Plan& plan);
  // The pool of a column.
  std::vector<Value> values(const Table& table, int column) const;
  void join(const Table& a, int column_a, const Table& b, int column_b);

 private:
  using ColumnKey = std::pair<std::string, int>;
  ColumnKey root(ColumnKey key) const;
  void learn_expr(const plan::Expr& expr, const plan::Plan& plan);
  void learn_pair(const plan::Expr& a, const plan::Expr& b, const plan::Plan& plan);

  std::map<ColumnKey, ColumnKey> parents_;
  std::map<ColumnKey, std::vector<Value>> constants_;
};

// Whether a database keeps what its schema declares but SQLite does not enforce.
enum class Manner {
  orderly,  // no NULL in primary keys, foreign keys kept, values of the declared types
  wild,     // anything that SQLite lets in
};

// A database in memory with the schema of `ddl` (the CREATE statements of the tables, views and indexes of `catalog`).
Database random_database(const std::vector<std::string>& ddl, const Catalog& catalog, const ValueHints& hints, Manner manner, std::uint64_t seed);

// The CREATE statements of the main database of `db`, triggers and what SQLite makes itself aside.
std::vector<std::string> ddl_of(sqlite3* db);

}  // namespace trustsql::testing_support
