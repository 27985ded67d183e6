// The refuter: looks for a small database on which two queries give different results.
//
// A Refuter belongs to one schema, which it creates in memory once; for each pair it fills the tables repeatedly and
// runs both queries, prepared once, on each database. It starts with random databases without any deviation
// (deviation.hpp), followed by directed ones, made for this pair from the atoms of its predicates, its groupings,
// limits and joins, then by the deviations one by one, and finally by all allowed deviations together.
//
// A difference counts only if it holds for every order in which SQLite may return rows that no ORDER BY sorts: the
// results of a query that depends on it (order_dependence()) are collected over the orders of the rows in their
// tables and both scan directions, and the two queries may not have a result in common. A counterexample is shrunk,
// written as a SQL script, and replayed from it in a new database before it is returned.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "db/results/result_set.hpp"
#include "db/sandbox/sandbox.hpp"
#include "equiv/deviation.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// One of the two queries. `plan` is the normalised plan, if it could be built; it only guides the search.
struct RefuterQuery {
  std::string_view sql;
  const plan::Plan* plan = nullptr;
  bool ordered = false;  // ORDER BY at the outermost level: the result is a list
};

enum class RowsAs : std::uint8_t {
  // Lists if both queries have ORDER BY at their outermost level, otherwise bags; if only one of them has it, the
  // order counts, too.
  automatic,
  list,
  bag,
  set,
};

struct RefuteOptions {
  static constexpr int default_databases = 300;
  static constexpr std::uint64_t default_seed = 1;

  Deviations allowed = Deviations::all();
  // If Deviation::null is allowed: also in primary keys, if SQLite permits it there.
  bool primary_keys_null = true;
  // Both queries take tied rows in the same order (plan::Assume::ties): a database is a counterexample only if no tie
  // matters there, that is, if each query always returns the same result on it.
  bool same_ties = false;
  RowsAs rows = RowsAs::automatic;
  bool best_grade = false;  // false: the first counterexample will do; true: search on for one of lower cost
  // False: keep the counterexample as found, unless its size matters; for callers that only want the verdict.
  bool shrink = true;
  int databases = default_databases;  // maximum number of random databases
  bool directed = true;               // false: random databases only
  std::uint64_t seed = default_seed;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<bool()> stop{};  // called now and then; true ends the search
};

struct Counterexample {
  Deviations deviations;
  // CREATE and INSERT statements, then the two queries as comments; any sqlite3 shell can replay it.
  std::string script;
  ResultSet a;  // the results of the queries on it
  ResultSet b;
};

// Why two queries, valid as far as they were prepared, were tried on no database.
enum class Obstacle {
  none,
  varies,          // a query returns a different result each time
  missing_object,  // a table or view of a query cannot be created in memory
  virtual_table,   // the same, because it is a virtual table, whose columns need not behave as those of other tables
  no_time,         // the deadline or `stop` came before both were prepared
};

struct Refutation {
  std::optional<Counterexample> counterexample;
  int databases = 0;             // on which both queries were run
  bool complete = true;          // false: the deadline or `stop` ended the search
  bool order_dependent = false;  // a difference was seen that depends on an order which nothing fixes
  std::string failure{};         // why a query returned no result on any database: SQLite's message, or the obstacle
  Obstacle obstacle = Obstacle::none;
};

class Refuter {
 public:
  // For the schema of `source`, whose rows are not read. Errors: those of reading the schema.
  static Result<std::unique_ptr<Refuter>> create(SandboxSource& source, const SandboxLimits& limits);
  ~Refuter();
  Refuter(const Refuter&) = delete;
  Refuter& operator=(const Refuter&) = delete;

  // Looks for a counterexample. Not thread-safe. Errors: query_failed (a query cannot be prepared on the schema:
  // SQLite's message), not_allowed, interrupted, out_of_memory.
  Result<Refutation> refute(const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options = {});

 private:
  struct Impl;
  class PairSearch;
  explicit Refuter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::equiv
