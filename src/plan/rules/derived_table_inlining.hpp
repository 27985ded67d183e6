// Subqueries in FROM, views and common tables become part of the query that uses them.
//
// Law        derived(R) = R; an ORDER BY without LIMIT inside is removed, unless a LIMIT further up depends on it
// Holds      the rows of a subquery have no order in SQL. SQLite keeps it in practice if a LIMIT above takes the first
//            rows, and so does this rule. A common table that is random and used more than once stays: SQLite computes
//            it once.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample derived_table_inlining_example{
    .before = "SELECT name FROM (SELECT * FROM p ORDER BY age) WHERE age > 3",
    .after =
        "Project p.name (Filter p.age > 3 (Project p.id, p.name, p.age, p.city, p.score (Scan p (id, name, age, city, "
        "score))))",
};
extern const Rule derived_table_inlining;

}  // namespace trustsql::plan::rules
