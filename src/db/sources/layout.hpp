// Layout: which databases a private connection shows, under which names, and how such a connection is opened.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/sources/database_image.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

// The URI of the file `path`, opened read-only (https://sqlite.org/uri.html). `parameters` is appended as it is, for
// example "&immutable=1".
std::string file_uri(std::string_view path, std::string_view parameters = {});

// `text`, escaped as a value inside a URI.
std::string escape_uri(std::string_view text);

struct LayoutDatabase {
  std::string schema;                          // "main", then the names of attached databases
  std::string uri;                             // of the file, if there is no image
  std::shared_ptr<const DatabaseImage> image;  // null for a file
  bool immutable = false;                      // for a file: opened so that changes go unnoticed
};

struct Layout {
  std::string name;                           // the name used in messages
  std::vector<LayoutDatabase> databases;      // main first; never empty
  std::shared_ptr<const DatabaseImage> temp;  // null if there are no temp tables
  std::string encoding;                       // for a main database in memory; empty: the default
};

struct OpenFailure {
  int code = 0;              // SQLite's extended result code
  std::size_t database = 0;  // index in Layout::databases of the one that could not be opened
};

// Opens a private connection that shows `layout` and reads each schema once, so that an unreadable file is detected
// here. Reads only committed data, and never writes a file. It waits at most `lock_wait` for a lock of another
// connection, later not at all. `failure` (unless null) says what failed. Errors (io): with the layout's name and
// SQLite's message.
Result<Connection> open_layout(const Layout& layout, std::chrono::milliseconds lock_wait,
                               OpenFailure* failure = nullptr);

}  // namespace trustsql
