// Layout: which databases a private connection shows, under which names, and how one is opened.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/connection.hpp"
#include "db/database_image.hpp"

namespace trustsql {

// The URI of the file `path`, opened read-only (https://sqlite.org/uri.html). `parameters` is appended as it is, for
// example "&immutable=1".
std::string file_uri(std::string_view path, std::string_view parameters = {});

// `text` as a value inside a URI.
std::string escape_uri(std::string_view text);

struct LayoutDatabase {
  std::string schema;                          // "main", then the names of attached databases
  std::string uri;                             // a file, where there is no image
  std::shared_ptr<const DatabaseImage> image;  // null for a file
  bool immutable = false;                      // of a file: opened so that changes go unnoticed
};

struct Layout {
  std::string name;                           // how messages name it
  std::vector<LayoutDatabase> databases;      // main first; never empty
  std::shared_ptr<const DatabaseImage> temp;  // null where there are no temp tables
  std::string encoding;                       // of a main database in memory; empty: the default
};

struct OpenFailure {
  int code = 0;              // SQLite's extended result code
  std::size_t database = 0;  // index in Layout::databases of the one that could not be opened
};

// Opens a private connection that shows `layout` and reads each schema once, so that a file that cannot be read is
// found out here. Reads only what is committed, and never writes a file. A lock that another connection holds is waited
// for half a second at most, now and later. `failure` (unless null) says what failed.
// Errors (io): with the layout's name and SQLite's message.
Result<Connection> open_layout(const Layout& layout, OpenFailure* failure = nullptr);

}  // namespace trustsql
