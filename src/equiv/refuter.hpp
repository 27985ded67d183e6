// The refuter: looks for a small database on which two queries give different results.
//
// A Refuter belongs to one schema, which it builds in memory once; for each pair it fills the tables again and again
// and runs both queries, prepared once, on each filling. First come random databases without any deviation
// (deviation.hpp), then directed ones, made for this pair from the atoms of its predicates, its groupings, limits and
// joins, then the deviations one by one, then all that are allowed at once.
//
// A difference counts only if it stands for every order in which SQLite may deliver rows that no ORDER BY puts in
// order: results of a query that depends on it (order_dependence()) are collected over the orders of the rows in their
// tables and both directions of scanning, and those of the two queries may not meet. What is found is shrunk, written
// down as a SQL script and replayed from it in a new database before it is returned.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "db/result_set.hpp"
#include "db/sandbox.hpp"
#include "equiv/deviation.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// One of the two queries. The plan is the normalised one, where it could be built; it only directs the search.
struct RefuterQuery {
  std::string_view sql;
  const plan::Plan* plan = nullptr;
  bool ordered = false;  // ORDER BY at the outermost level: the result is a list
};

enum class RowsAs : std::uint8_t {
  automatic,  // lists if both queries have ORDER BY at their outermost level, else bags; if one of them has, the order
              // counts too
  list,
  bag,
  set,
};

struct RefuteOptions {
  Deviations allowed = Deviations::all();
  bool primary_keys_null =
      true;  // where Deviation::null is allowed: in primary keys as well, if SQLite admits it there
  RowsAs rows = RowsAs::automatic;
  bool best_grade = false;  // false: the first counterexample found will do; true: search on for one of lower cost
  bool shrink = true;    // false: what was found, as far as nothing hangs on its size; for who only wants the verdict
  int databases = 300;   // random ones, at most
  bool directed = true;  // false: those only
  std::uint64_t seed = 1;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<bool()> stop{};  // asked now and then; true ends the search
};

struct Counterexample {
  Deviations deviations;
  std::string script;  // CREATE and INSERT statements, then the two queries as comments: replayed by any sqlite3 shell
  ResultSet a;         // what the queries give on it
  ResultSet b;
};

struct Refutation {
  std::optional<Counterexample> counterexample;
  int databases = 0;             // that both queries were run on
  bool complete = true;          // false: the deadline or `stop` ended the search
  bool order_dependent = false;  // a difference was seen that hangs on an order which nothing fixes
  std::string failure{};         // why a query gave no result on any database: SQLite's message
};

class Refuter {
 public:
  // For the schema of `source`, whose rows are not looked at. Errors: those of reading the schema.
  static Result<std::unique_ptr<Refuter>> create(SandboxSource& source, const SandboxLimits& limits);
  ~Refuter();
  Refuter(const Refuter&) = delete;
  Refuter& operator=(const Refuter&) = delete;

  // Looks for a counterexample. Not thread-safe. Errors: query_failed (one of them does not prepare on the schema:
  // SQLite's message), not_allowed, interrupted, out_of_memory.
  Result<Refutation> refute(const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options = {});

 private:
  struct Impl;
  class PairSearch;
  explicit Refuter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::equiv
