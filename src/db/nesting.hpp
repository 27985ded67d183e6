// How deeply queries nest. SQLite expands views and common table expressions by recursion without a bound of its own:
// a chain of some ten thousand overflows the stack of the process. So does an expression that SQLite puts together from
// those of nested SELECTs, each of which may be as high as SQLITE_LIMIT_EXPR_DEPTH.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "db/layout.hpp"

namespace trustsql {

// SELECTs that a query may have, and that the views of a database may nest by naming each other. The two together
// take less than half of a stack of 8 MB.
inline constexpr std::size_t max_selects_in_query = 500;
inline constexpr std::size_t max_selects_in_views = 2000;

// Operators and parentheses in a query of several SELECTs, and in views along a chain of names: the height to which
// SQLite could pile up expressions. It takes some 200 bytes of the stack for each.
inline constexpr std::size_t max_nested_operators = 16'000;

// Error (limit_exceeded) if `query` has so many SELECT or VALUES clauses, or with several of them so many operators,
// that it could nest them too deeply.
Status check_query_nesting(std::string_view query);

// Error (limit_exceeded) if views of the databases of `layout`, temp included, nest too deeply. `db` shows that layout.
Status check_view_nesting(sqlite3* db, const Layout& layout);

}  // namespace trustsql
