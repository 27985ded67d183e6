// What a query reads, as SQLite tells while it prepares the query.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace trustsql {

// Columns of tables and views, and functions. The rowid is ROWID. Where a table is read but none of its columns, the
// column is empty, and so is the schema unless the statement names it. The same may come several times.
struct QueryUse {
  std::vector<std::array<std::string, 3>> columns;  // schema, table, column
  std::vector<std::string> functions;
};

}  // namespace trustsql
