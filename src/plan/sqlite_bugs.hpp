// Known bugs that make SQLite compute wrong results: how to reproduce each of them, and which plans may be affected.
//
// The result of a query that may be affected by a bug is not reliable, so nothing is proved about it
// (equiv/prover.hpp), and its results do not count against a proof or a rule. to_sql() avoids the bugs in outer joins.
//
// One bug depends on values alone and cannot be seen in a plan: the real -9223372036854775808.0 is not converted to an
// integer where the affinity of its column requires that, and is not found when such a column is compared with a rowid.
// Proofs assume databases without this value.
#pragma once

#include <span>
#include <string_view>

#include "plan/plan.hpp"

namespace trustsql::plan {

struct SqliteBug {
  std::string_view name;      // snake_case
  std::string_view what;      // what goes wrong, in one sentence
  std::string_view versions;  // the versions of SQLite in which it was observed
  // How to reproduce it: after the script `schema`, `query` gives another result than `correct`, which means the same.
  // All three are empty if no small query is known.
  std::string_view schema;
  std::string_view query;
  std::string_view correct;
  // Whether the operator, in a plan as built from a query, may be affected. Inputs and subqueries are not searched.
  bool (*matches)(const Rel& rel, const Plan& plan);
};

// All known bugs.
std::span<const SqliteBug> sqlite_bugs();

// The first bug that may affect the query of `plan`, to which no rule has been applied yet; nullptr if there is none.
const SqliteBug* find_sqlite_bug(const Plan& plan);

// Whether an inner join among the FROM items of `rel` has a condition without columns of these items
// (right_join_after_constant).
bool has_condition_without_columns(const Rel& rel);

// Whether `rel` is a SELECT from a RIGHT or FULL JOIN (right_join_in_union_all).
bool selects_from_right_join(const Rel& rel);

// Whether a column of `rel`, a subquery in FROM or what it contains, is a subquery without references to rows outside
// it (left_join_of_subquery_value). SQLite sets the result of that subquery, which it computes once, to NULL where a
// join fills the columns of `rel` with NULLs, if it merges `rel` into the query around it.
bool computes_subquery_once(const Rel& rel, const Plan& plan);

}  // namespace trustsql::plan
