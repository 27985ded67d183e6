// Subqueries in FROM, views and common tables become part of the query that uses them.
//
// Law        derived(R) = R; an ORDER BY without LIMIT inside is removed, unless a LIMIT further up depends on it
// Holds      the rows of a subquery have no order in SQL. SQLite keeps it in practice if a LIMIT above takes the first
//            rows, and so does this rule. A common table that is random and used more than once stays: SQLite computes
//            it once.
// Example    WITH c AS (SELECT * FROM t ORDER BY x) SELECT a FROM c WHERE b = 1   becomes   SELECT a FROM t WHERE b = 1
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule derived_table_inlining;

}  // namespace trustsql::plan::rules
