// Reads a query as Spider's evaluator does (Yu et al. 2018), by a small grammar of its own, which is both looser and
// narrower than SQL's.
//
//   FROM     tables and subqueries with JOIN ... ON between them; no other join and no comma. The alias of a table
//            requires AS; a subquery has none. Aliases are visible in the whole text.
//   columns  qualified by a table or an alias; otherwise the column belongs to the first table in FROM that has one of
//            that name. No column aliases.
//   items    [aggregate] of a column, or of two columns with + - * / between them
//   WHERE, HAVING, ON   conditions connected by AND and OR, without parentheses around them: a column, [NOT] an
//            operator, then a number, string, column or subquery. != is supported, <> is not; IN takes a subquery or
//            one value.
//   The operand of LIMIT is ignored, and so is everything after the last clause.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "score/set_match/query.hpp"
#include "score/set_match/schema.hpp"

namespace trustsql::set_match {

// Errors: invalid_argument; the message says what could not be read and where.
Result<Query> read(std::string_view sql, const Schema& schema);

}  // namespace trustsql::set_match
