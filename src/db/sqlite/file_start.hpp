// Reads files that may be databases which this process has open.
//
// A descriptor of our own would drop all POSIX locks that the process holds on the file when it is closed, and another
// process could write while SQLite is in the middle of a transaction (https://sqlite.org/howtocorrupt.html section
// 2.2). SQLite's VFS closes a file only when no connection of the process holds a lock on it.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"

namespace trustsql {

// The first `limit` bytes of the regular file `path`, or all of them if it has fewer, read through SQLite's VFS.
// Neither a journal nor a log beside it is looked at. Errors (io): there is none, it is no regular file, or it cannot
// be read.
Result<std::string> read_file_start(const std::string& path, std::size_t limit);

}  // namespace trustsql
