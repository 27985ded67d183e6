// file_state(): which state of a database file a connection reads, so that another process can tell it from others.
//
// PRAGMA data_version can be compared on one connection alone, and the schema cookie changes with the schema alone.
// What is safe between processes is, for a file with a rollback journal, its change counter
// (https://sqlite.org/fileformat2.html#file_change_counter), which each transaction that writes increments, together
// with what the file system says: device, inode, size and the times of the last changes, which tell a file from one
// that was copied in its place. In WAL mode the counter need not change, and the last changes may lie in the log: there
// is no such sign, nor for a database in memory, nor for several databases at once.
#pragma once

#include <optional>

#include "db/sandbox/sandbox.hpp"
#include "db/sources/layout.hpp"

namespace trustsql {

// The state that `db`, which open_layout(layout) opened, reads; nullopt where no sign of it is safe (above), and for a
// file that was changed in the last two seconds: a change within the resolution of the file system's clock would not
// show. Precondition: a read transaction has begun.
std::optional<FileState> file_state(sqlite3* db, const Layout& layout);

}  // namespace trustsql
