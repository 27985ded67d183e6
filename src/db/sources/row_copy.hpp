// copy_rows: copies a database row by row, with SELECTs on the connection on which it is open.
//
// This is the slow way, and the only one that works while that connection has uncommitted changes or is inside a
// statement that writes.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

// Returns a private connection in memory whose main database holds what `host` sees in its database `schema`: tables
// with their rows and rowids, indexes, views, triggers, and the definitions of virtual tables with their shadow tables.
// Schema entries without SQL (a table that CREATE TABLE AS is about to fill) are omitted, and so are indexes that
// cannot be built here (on a function of the host). Errors: limit_exceeded (more than `max_bytes`), interrupted, any
// error of the host in reading it.
Result<Connection> copy_rows(sqlite3* host, const std::string& schema, std::int64_t max_bytes);

}  // namespace trustsql
