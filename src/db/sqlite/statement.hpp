// Statement: a prepared statement that finalizes itself.
//
// Only for the library's own SQL and for SQL that has passed the sandbox's checks. A Statement must not outlive the
// connection that it was prepared on. (https://sqlite.org/c3ref/stmt.html)
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}

  sqlite3_stmt* handle() const { return handle_.get(); }
  explicit operator bool() const { return handle_ != nullptr; }
  // Hands the statement over to the caller.
  sqlite3_stmt* release() { return handle_.release(); }

  // Binds parameter `index` (from 1). Text and blob are not copied: they must stay valid until the next bind or reset.
  // Error: as statement_error() describes it.
  Status bind(int index, ValueView value);

  // True on a row, false at the end; after an error or the end the statement must be reset before it is stepped again.
  Result<bool> step();
  // Runs the statement to its end and resets it, ignoring rows.
  Status run();
  // Ends the execution and releases its locks; bindings are kept.
  void reset() { sqlite3_reset(handle_.get()); }

  int column_count() const { return sqlite3_column_count(handle_.get()); }
  // The value of column `index` (from 0) of the current row, valid until the next step or reset.
  ValueView column(int index) const;
  std::int64_t column_integer(int index) const { return sqlite3_column_int64(handle_.get(), index); }
  // Empty for NULL. Throws std::bad_alloc as column_value() does.
  std::string_view column_text(int index) const;
  bool column_is_null(int index) const { return sqlite3_column_type(handle_.get(), index) == SQLITE_NULL; }

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> handle_;
};

// The names of the columns of `statement`. Throws std::bad_alloc if SQLite has no memory for one.
std::vector<std::string> column_names(sqlite3_stmt* statement);

// The value of column `index` of the current row of `statement`. Throws std::bad_alloc if SQLite has no memory for the
// text, which it may have to convert.
inline ValueView column_value(sqlite3_stmt* statement, int index) {
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_INTEGER: return ValueView::of_integer(sqlite3_column_int64(statement, index));
    case SQLITE_FLOAT: return ValueView::of_real(sqlite3_column_double(statement, index));
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, index));
      if (text == nullptr) throw std::bad_alloc();
      return ValueView::of_text(
          std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, index))));
    }
    case SQLITE_BLOB: {
      const auto* blob = static_cast<const char*>(sqlite3_column_blob(statement, index));
      return ValueView::of_blob(
          blob == nullptr ? std::string_view()
                          : std::string_view(blob, static_cast<std::size_t>(sqlite3_column_bytes(statement, index))));
    }
    default: return ValueView::null();
  }
}

}  // namespace trustsql
