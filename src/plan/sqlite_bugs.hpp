// What SQLite computes wrongly: the bugs that are known, how to see each of them, and which plans may run into one.
//
// A query that may run into a bug has no result that can be relied upon, so nothing is proved of it (equiv/prover.hpp)
// and no result of it counts against a proof or a rule. to_sql() writes around those in outer joins.
//
// One bug is of values alone, and no plan shows it: the real -9223372036854775808.0 is not turned into an integer where
// the affinity of its column asks for that, and is not found where such a column is compared with a rowid. Proofs are
// about databases without it.
#pragma once

#include <span>
#include <string_view>

#include "plan/plan.hpp"

namespace trustsql::plan {

struct SqliteBug {
  std::string_view name;      // snake_case
  std::string_view what;      // what goes wrong, in a sentence
  std::string_view versions;  // of SQLite in which it was seen
  // A way to see it: after `schema`, a script, `query` gives another result than `correct`, which means the same. All
  // three are empty where no small query is known.
  std::string_view schema;
  std::string_view query;
  std::string_view correct;
  // Whether the operator, of a plan as built from a query, may run into it. Inputs and subqueries are not looked into.
  bool (*matches)(const Rel& rel, const Plan& plan);
};

// All of them.
std::span<const SqliteBug> sqlite_bugs();

// The first bug that the query of `plan`, which no rule has changed yet, may run into; nullptr if there is none.
const SqliteBug* find_sqlite_bug(const Plan& plan);

// Whether an inner join among the FROM items of `rel` has a condition without columns of theirs
// (right_join_after_constant).
bool has_condition_without_columns(const Rel& rel);

// Whether `rel` is a SELECT from a RIGHT or FULL JOIN (right_join_in_union_all).
bool selects_from_right_join(const Rel& rel);

}  // namespace trustsql::plan
