// RowSource: the rows that a `source` argument names.
//
// A source is the name of a table or view of the host connection ("predictions", "temp.predictions"), or a query
// ("SELECT ... FROM ..."). It is the caller's own SQL and runs on the host connection, with the host's authorizer; it
// must not modify anything. Its columns are looked up by name, ignoring ASCII case.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace trustsql {

class RowSource {
 public:
  // Errors (invalid_argument): no such table or view, a query that does not prepare, several statements, one that is
  // not a SELECT or that writes.
  static Result<RowSource> open(sqlite3* host, std::string_view source);

  const std::vector<std::string>& column_names() const { return names_; }

  // The position of the column `name`, if there is one.
  std::optional<int> find(std::string_view name) const;
  // As find(), but a missing column is an error (invalid_argument) that lists the available columns.
  Result<int> require(std::string_view name) const;

  // Moves to the next row; false after the last. Errors: query_failed, interrupted, out_of_memory.
  Result<bool> next();

  // The cell of the current row in `column` (from find or require), valid until next().
  ValueView at(int column) const;
  // The cell as a text; nullopt for NULL, and if there is no column. Error (invalid_argument): a number or a blob;
  // `name` is what the message calls the column.
  Result<std::optional<std::string>> text_at(std::optional<int> column, std::string_view name) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::vector<std::string> names_;
};

// For messages: the type of a value, and the value unless it is a blob.
std::string type_and_value(ValueView value);

}  // namespace trustsql
