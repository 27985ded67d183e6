// From the text of a query to its syntax tree: SQLite's whole SELECT language (https://sqlite.org/lang_select.html).
//
// The parser accepts what SQLite's own grammar accepts, including which keywords may be names in which places, with the
// same precedence; a test compares the two on real queries, a fuzz target on random ones. It does not check whether
// names exist or functions have the right number of arguments.
//
// It is hand-written: recursive descent for clauses, precedence climbing for expressions (parser/expression.cpp). Its
// time is linear in the length of the text.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/sql_token.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// Limits that keep recursive algorithms safe, here and wherever a tree is traversed; the first two are lower in a
// thread whose stack is small (less than about 2 MiB). The last three are SQLite's own
// (https://sqlite.org/limits.html), so they reject nothing that SQLite runs.
inline constexpr int max_parser_nesting = 200;    // nested parentheses, subqueries, prefix operators...
inline constexpr int max_tree_height = 1000;      // of expressions, including subqueries in them
inline constexpr std::size_t max_set_arms = 500;  // queries combined by UNION and the like
inline constexpr std::size_t max_from_items = 200;

struct ParseOptions {
  // The SQLite version whose grammar is used, as SQLITE_VERSION_NUMBER (3037000 and later): syntax that later versions
  // added is an error.
  int version = latest_grammar;
  // Whether ordered-set aggregates may be called as in the SQL standard, f(p) WITHIN GROUP (ORDER BY x), as in a SQLite
  // compiled with SQLITE_ENABLE_ORDERED_SET_AGGREGATES (https://sqlite.org/compile.html).
  bool ordered_sets = false;
};

// Parses one SELECT statement, possibly with VALUES or WITH; only semicolons and comments may follow. Errors:
// invalid_argument with the line and column (both from 1, columns count characters) and what was expected there: "line
// 1, column 8: expected an expression, found FROM"; limit_exceeded if one of the limits above is exceeded.
Result<ast::Query> parse_query(std::string_view sql, const ParseOptions& options = {});

}  // namespace trustsql
