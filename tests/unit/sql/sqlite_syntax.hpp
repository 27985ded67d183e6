// What SQLite itself says about a text, as the oracle of the parser's tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

enum class SqliteAnswer {
  prepared,
  syntax_error,  // its message is one of the closed list in sqlite_syntax.cpp
  limit,         // the parser's stack or another limit
  other_error,   // the text is a query, but a name does not exist, arguments do not fit ...
};

struct SqliteVerdict {
  SqliteAnswer answer = SqliteAnswer::prepared;
  std::string message{};
  bool has_tail = false;  // there is more text after the first statement
};

// Prepares the first statement of `sql`; does not run it.
SqliteVerdict ask_sqlite(sqlite3* db, std::string_view sql);

// The program that SQLite compiles the query to, as EXPLAIN lists it (without comments); nullopt if it does not
// prepare.
std::optional<std::string> explain(sqlite3* db, std::string_view sql);

}  // namespace trustsql
