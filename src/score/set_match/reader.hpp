// Reads a query the way Spider's evaluator does (Yu et al. 2018): a small grammar of its own, looser and narrower than
// SQL's.
//
//   FROM     tables and subqueries with JOIN ... ON between them, no other join and no comma; a table's alias needs AS,
//   a
//            subquery has none. Aliases belong to the whole text.
//   columns  with a table or an alias before them; else of the first table in FROM that has one of that name.
//            No column aliases.
//   items    [aggregate] of a column, or of two with + - * / between them
//   WHERE, HAVING, ON   conditions with AND and OR between them, without parentheses around them: a column, [NOT] an
//   operator,
//            a number, string, column or subquery. != is known, <> is not; IN takes a subquery or one value.
//   What follows LIMIT is not looked at, and nothing that follows the last clause.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "score/set_match/query.hpp"
#include "score/set_match/schema.hpp"

namespace trustsql::set_match {

// Errors: invalid_argument with what could not be read and where.
Result<Query> read(std::string_view sql, const Schema& schema);

}  // namespace trustsql::set_match
