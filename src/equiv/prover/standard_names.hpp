// A statement with names that say what they mean: two statements that differ only in the names that they give to
// tables, subqueries and columns, in qualifiers, or in how ORDER BY and GROUP BY name a column of the result become
// equal trees.
#pragma once

#include <optional>

#include "sql/resolver.hpp"

namespace trustsql::equiv {

// A copy of the statement that `resolution` resolves, in which
//   - each table or subquery of a FROM clause has the alias r1, r2, ... in the order of the text, and its columns are
//     qualified by it; those of subqueries and common tables are called by their position;
//   - a common table is called common1, common2, ...; a table of the database has its schema before its name;
//   - no column of a result has an alias; a name that stands for one says which;
//   - a term of ORDER BY or GROUP BY that stands for a column of the result is its number (without COLLATE);
//   - "x" that is a string, and TRUE and FALSE, are parameters of that text, which no name equals.
// SQLite resolves all of that before it chooses a plan, so statements whose copies are equal are compiled to the same
// program. The copy is not meant to be run. nullopt if the statement has something whose names are not followed: a
// WINDOW clause, x IN t, a common table that is not used, expressions that SQLite drops.
std::optional<ast::Query> with_standard_names(const ast::Query& query, const Resolution& resolution);

}  // namespace trustsql::equiv
