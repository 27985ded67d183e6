// ExamplesTable: trustsql_examples, the user's own table of verified questions, in the host's main database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"

struct sqlite3;

namespace trustsql {

// A row. nullopt is NULL.
struct ExampleRow {
  std::string question;
  std::optional<std::string> sql;
  std::optional<std::string> type;
  std::optional<std::string> database;
  std::optional<std::string> schema;
};

class ExamplesTable {
 public:
  // `host` outlives this object.
  explicit ExamplesTable(sqlite3* host) : host_(host) {}

  // Writes the row, over the one with the same question and database where there is one, and returns its id. Makes the
  // table where it is missing. Part of the host's transaction. Errors: as sqlite_error(), a table of that name without
  // these columns among them.
  Result<std::int64_t> put(const ExampleRow& row);

 private:
  sqlite3* host_;
};

}  // namespace trustsql
