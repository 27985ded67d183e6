// Whole files: read with a limit, and written so that a reader sees the old bytes or the new ones, never a part.
//
// They are read through SQLite's VFS, since a user may name a database that this process has open. When a descriptor of
// our own is closed, all POSIX locks that the process holds on the file are dropped, and another process could write
// while SQLite is in the middle of a transaction (https://sqlite.org/howtocorrupt.html section 2.2). The VFS closes a
// file only when no connection of the process holds a lock on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

// The bytes of a regular file. Errors (io): there is none, it is no regular file (a pipe or a device is not waited
// for), it cannot be read, or it has more than `limit` bytes.
Result<std::string> read_file(std::string_view path, std::size_t limit);

// The same, but of a larger file its first `limit` bytes.
Result<std::string> read_file_start(std::string_view path, std::size_t limit);

// Writes to a file beside `path`, which then takes its place; an existing file is replaced, and its permissions are
// kept. Of a link, the file that it leads to is replaced. Errors (io), for example: the file is not writable.
Status write_file(std::string_view path, std::string_view bytes);

// Whether a file of our own may be written to `path`: there is nothing, or a file for whose first `length` bytes
// `is_own` is true. Errors (io): it cannot be read, or it is another file; then the message says that it is no
// `what`, "model" for example.
Status check_replaceable(std::string_view path, std::size_t length, bool (*is_own)(std::string_view start),
                         std::string_view what);

}  // namespace trustsql
