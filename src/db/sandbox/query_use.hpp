// What a query reads, as SQLite reports it while it prepares the query.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace trustsql {

// The columns of tables and views, and the functions. The rowid is called ROWID. If a table is read but none of its
// columns, the column is empty, and so is the schema unless the statement names it. Entries may be repeated.
struct QueryUse {
  std::vector<std::array<std::string, 3>> columns;  // schema, table, column
  std::vector<std::string> functions;
};

}  // namespace trustsql
