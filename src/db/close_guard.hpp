// CloseGuard: does something just before the host connection closes its files.
//
// A private connection to a database in WAL mode holds a shared lock for as long as it is open. If the host closed
// first, it would not be the last connection, and its -wal file would be left behind. The destructors of functions run
// too late: after the files are closed. Virtual tables are disconnected before, so the guard is an eponymous virtual
// table without content that is connected once. (https://sqlite.org/vtab.html#eponymous_virtual_tables)
#pragma once

#include <functional>

#include "db/sqlite_api.hpp"

namespace trustsql {

// Calls `on_close` once when `host` begins to close. To be called on the host's thread. Does nothing where a table
// cannot be connected (an authorizer of the host forbids it, memory is exhausted).
void call_before_close(sqlite3* host, std::function<void()> on_close);

}  // namespace trustsql
