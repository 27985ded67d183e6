// copy_rows: copies a database row by row, with SELECTs on the connection that has it open.
//
// The slow way, and the only one that works while that connection has uncommitted changes or is inside a statement
// that writes.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "db/connection.hpp"

namespace trustsql {

// A private connection in memory whose main database holds what `host` sees in its database `schema`: tables with
// their rows and rowids, indexes, views, triggers, and the definitions of virtual tables with their shadow tables.
// Entries of the schema that have no SQL (a table that CREATE TABLE AS is about to fill) are left out, and so are
// indexes that cannot be built here (on a function of the host).
// Errors: limit_exceeded (more than `max_bytes`), interrupted, what keeps the host from reading it.
Result<Connection> copy_rows(sqlite3* host, const std::string& schema, std::int64_t max_bytes);

}  // namespace trustsql
