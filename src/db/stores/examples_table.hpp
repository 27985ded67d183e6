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

  // Writes the row, replacing one with the same question and database if there is one, and returns its id. Creates the
  // table if it is missing. The change is part of the host's transaction. Errors: those of check_nested_write(); as
  // sqlite_error(), including that a table of that name lacks these columns.
  Result<std::int64_t> put(const ExampleRow& row);

 private:
  sqlite3* host_;
};

}  // namespace trustsql
