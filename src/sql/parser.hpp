// From the text of a query to its syntax tree: SQLite's whole SELECT language (https://sqlite.org/lang_select.html).
//
// The parser accepts what SQLite's own grammar accepts, down to which keywords may stand for names in which places, and
// reads it with the same precedence; a test compares the two on real queries, a fuzz target on random ones. Whether
// names exist and functions have the right number of arguments is not its matter.
//
// It is written by hand: recursive descent for clauses, precedence climbing for expressions (parser/expression.cpp).
// The time is linear in the length of the text.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "sql/ast.hpp"
#include "sql/token.hpp"

namespace trustsql {

// Limits that keep recursive algorithms safe, here and wherever a tree is gone through. The last three are SQLite's own
// (https://sqlite.org/limits.html), so they refuse nothing that SQLite runs.
inline constexpr int max_parser_nesting =
    200;                                      // parentheses, subqueries, operators before operands... inside each other
inline constexpr int max_tree_height = 1000;  // of expressions, subqueries in them included
inline constexpr std::size_t max_set_arms = 500;  // queries combined by UNION and the like
inline constexpr std::size_t max_from_items = 200;

struct ParseOptions {
  // The grammar of which SQLite, as SQLITE_VERSION_NUMBER (3037000 and later): what later ones added is a syntax error.
  int version = latest_grammar;
};

// Parses one SELECT statement, VALUES or WITH included; semicolons and comments may follow, nothing else.
// Errors: invalid_argument with the line and column (both from 1, columns count characters) and what was expected
// there: "line 1, column 8: expected an expression, found FROM"; limit_exceeded where a limit above is exceeded.
Result<ast::Query> parse_query(std::string_view sql, const ParseOptions& options = {});

// Parses one expression and nothing else: the text of a CHECK constraint, of a generated column. Errors as above.
Result<ast::Expr> parse_expression(std::string_view sql, const ParseOptions& options = {});

}  // namespace trustsql
