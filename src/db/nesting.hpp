// How deeply queries nest. SQLite expands views and common table expressions by recursion without a bound of its own:
// a chain of some ten thousand overflows the stack of the process.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "db/layout.hpp"

namespace trustsql {

// SELECTs that a query may have, and that the views of a database may nest by naming each other. The two together
// take less than half of a stack of 8 MB.
inline constexpr std::size_t most_selects_in_query = 500;
inline constexpr std::size_t most_selects_in_views = 2000;

// Error (limit_exceeded) if `query` has so many SELECT or VALUES clauses that it could nest them too deeply.
Status check_query_nesting(std::string_view query);

// Error (limit_exceeded) if views of the databases of `layout`, temp included, nest too deeply. `db` shows that layout.
Status check_view_nesting(sqlite3* db, const Layout& layout);

}  // namespace trustsql
