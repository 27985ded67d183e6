// How deeply queries nest. SQLite expands views and common table expressions by recursion without a bound of its own: a
// chain of some ten thousand overflows the stack of the process. So does an expression that SQLite builds from the
// expressions of nested SELECTs, each of which may be as deep as SQLITE_LIMIT_EXPR_DEPTH.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "db/sandbox/expansion.hpp"
#include "db/sources/layout.hpp"

namespace trustsql {

// The maximum number of SELECTs in a query, and of SELECTs that views may nest by referencing each other. Both together
// use less than half of an 8 MB stack.
inline constexpr std::size_t max_selects_in_query = 500;
inline constexpr std::size_t max_selects_in_views = 2000;

// The maximum number of operators and parentheses in a query with several SELECTs, and in a chain of views: the depth
// of the expression that SQLite could build. Each level takes some 200 bytes of the stack.
inline constexpr std::size_t max_nested_operators = 16'000;

// Error (limit_exceeded) if `query` has so many SELECT or VALUES clauses, or several of them and so many operators,
// that they could be nested too deeply.
Status check_query_nesting(std::string_view query);

// Error (limit_exceeded) if SQLite was compiled without a limit of the depth of expressions (SQLITE_MAX_EXPR_DEPTH=0,
// which its documentation recommends, https://sqlite.org/compile.html) and a statement of `sql` has so many operators
// that an expression of them could overflow the stack.
Status check_unlimited_depth(sqlite3* db, std::string_view sql);

// The views of the databases of `layout`, temp included; `db` shows that layout. Error (limit_exceeded): they nest too
// deeply, or expand to too much.
Result<ViewExpansions> read_views(sqlite3* db, const Layout& layout);

}  // namespace trustsql
