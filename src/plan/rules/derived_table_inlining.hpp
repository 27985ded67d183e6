// Subqueries in FROM, views and common tables become a part of the query that uses them.
//
// Law        derived(R) = R; an ORDER BY without LIMIT inside goes, unless a LIMIT further up picks from its order
// Holds      the rows of a subquery have no order in SQL. SQLite keeps it in practice where a LIMIT above takes the
// first rows,
//            and so does this. A common table that is random and used more than once is left: SQLite computes it once.
// Example    WITH c AS (SELECT * FROM t ORDER BY x) SELECT a FROM c WHERE b = 1   becomes   SELECT a FROM t WHERE b = 1
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule derived_table_inlining;

}  // namespace trustsql::plan::rules
