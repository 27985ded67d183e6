// What the tests of src/db share: folders that disappear, connections, and a host whose state is compared before and
// after.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.hpp"
#include "base/text.hpp"
#include "db/connection.hpp"
#include "db/host_database.hpp"

namespace trustsql::test {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trustsql_test_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A connection that a test opens in the place of an application.
class TestConnection {
 public:
  explicit TestConnection(const std::string& name = ":memory:", int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI) {
    EXPECT_EQ(sqlite3_open_v2(name.c_str(), &db_, flags, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
  }
  ~TestConnection() { close(); }
  TestConnection(const TestConnection&) = delete;
  TestConnection& operator=(const TestConnection&) = delete;

  operator sqlite3*() const { return db_; }

  // Runs all statements of `sql`, which must succeed.
  void exec(const std::string& sql) const {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << sql << ": " << (message != nullptr ? message : "");
    sqlite3_free(message);
  }

  // The first column of the first row as a text; "(none)" where there is no row, "error: ..." where it fails.
  std::string ask(const std::string& sql) const {
    auto statement = prepare(db_, sql);
    if (!statement.ok()) return "error: " + statement.error().message;
    auto row = statement->step();
    if (!row.ok()) return "error: " + row.error().message;
    return *row ? format_value(statement->column(0)) : "(none)";
  }

  // Closes now; SQLITE_BUSY would mean that somebody left a statement behind.
  void close() {
    EXPECT_EQ(sqlite3_close(db_), SQLITE_OK);
    db_ = nullptr;
  }

 private:
  sqlite3* db_ = nullptr;
};

inline Settings default_settings() {
  auto settings = Settings::create([](std::string_view) { return std::optional<std::string>(); });
  EXPECT_TRUE(settings.ok());
  return std::move(settings).value();
}

inline Settings settings_with(std::initializer_list<std::pair<std::string_view, std::int64_t>> values) {
  Settings settings = default_settings();
  for (const auto& [key, value] : values) EXPECT_TRUE(settings.set(key, ValueView::of_integer(value)).ok()) << key;
  return settings;
}

// The rows of a result as text: values separated by '|', rows by ';'.
inline std::string show(const ResultSet& result) {
  std::string text;
  for (std::size_t row = 0; row < result.row_count(); ++row) {
    if (row > 0) text += ";";
    for (std::size_t column = 0; column < result.column_count(); ++column) {
      if (column > 0) text += "|";
      text += format_value(result.at(row, column));
    }
  }
  return text;
}

inline std::string show(const Result<ResultSet>& result) { return result.ok() ? show(*result) : "error: " + result.error().message; }

// Leases a sandbox of `source` and runs `sql` on it.
inline Result<ResultSet> run(SandboxSource& source, std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(const SandboxLease lease, source.lease());
  return lease->run(sql);
}

// The same for a `database` argument of `host`.
inline Result<ResultSet> run(HostDatabase& host, std::optional<std::string_view> database, std::string_view sql,
                             const Settings& settings = default_settings(), StatementScope* scope = nullptr) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, host.open(database, settings, scope));
  return run(*source, sql);
}

// Everything of a host connection that the sandbox must not change.
struct HostState {
  std::int64_t changes;
  std::int64_t total_changes;
  std::int64_t last_rowid;
  int autocommit;
  std::vector<int> transactions;
  std::vector<int> limits;

  explicit HostState(sqlite3* db)
      : changes(sqlite3_changes64(db)),
        total_changes(sqlite3_total_changes64(db)),
        last_rowid(sqlite3_last_insert_rowid(db)),
        autocommit(sqlite3_get_autocommit(db)) {
    for (const char* schema : {"main", "temp"}) transactions.push_back(sqlite3_txn_state(db, schema));
    for (int id = 0; id <= SQLITE_LIMIT_WORKER_THREADS; ++id) limits.push_back(sqlite3_limit(db, id, -1));
  }
  friend bool operator==(const HostState&, const HostState&) = default;
};

}  // namespace trustsql::test
