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
#include "db/sources/host_database.hpp"
#include "db/sqlite/connection.hpp"

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

// A connection that a test opens in place of an application.
class TestConnection {
 public:
  explicit TestConnection(const std::string& name = ":memory:",
                          int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI) {
    EXPECT_EQ(sqlite3_open_v2(name.c_str(), &db_, flags, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
  }
  ~TestConnection() { close(); }
  TestConnection(const TestConnection&) = delete;
  TestConnection& operator=(const TestConnection&) = delete;

  operator sqlite3*() const { return db_; }

  // Runs all statements of `sql`, which must succeed.
  void exec(const std::string& sql) const {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << sql << ": " << (message != nullptr ? message : "");
    sqlite3_free(message);
  }

  // The first column of the first row as a text; "(none)" if there is no row, "error: ..." if it fails.
  std::string ask(const std::string& sql) const {
    auto statement = prepare(db_, sql);
    if (!statement.ok()) return "error: " + statement.error().message;
    auto row = statement->step();
    if (!row.ok()) return "error: " + row.error().message;
    return *row ? format_value(statement->column(0)) : "(none)";
  }

  // Closes now; SQLITE_BUSY would mean that a statement was left behind.
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

inline std::string show(const Result<ResultSet>& result) {
  return result.ok() ? show(*result) : "error: " + result.error().message;
}

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

// Everything of a host connection that the sandbox must not change and that can be read without a statement. Reading a
// database to copy it may begin to read it; it must not begin or end to write it.
struct HostState {
  std::int64_t changes;
  std::int64_t total_changes;
  std::int64_t last_rowid;
  int autocommit;
  std::vector<bool> writing;
  std::vector<int> limits;

  explicit HostState(sqlite3* db)
      : changes(sqlite3_changes64(db)),
        total_changes(sqlite3_total_changes64(db)),
        last_rowid(sqlite3_last_insert_rowid(db)),
        autocommit(sqlite3_get_autocommit(db)) {
    for (const char* schema : {"main", "temp"}) writing.push_back(sqlite3_txn_state(db, schema) == SQLITE_TXN_WRITE);
    for (int id = 0; id <= SQLITE_LIMIT_WORKER_THREADS; ++id) limits.push_back(sqlite3_limit(db, id, -1));
  }
  friend bool operator==(const HostState&, const HostState&) = default;
};

// An application's connection with an authorizer, a progress handler and limits of its own, on which the SQL functions
// ask(sql) and ask(sql, database) run a query in the sandbox and return show() of its result.
class Host {
 public:
  explicit Host(const std::string& name = ":memory:")
      : db_(name), databases_(std::make_unique<HostDatabase>(db_)), settings_(default_settings()) {
    sqlite3_set_authorizer(db_, authorize, this);
    sqlite3_progress_handler(db_, 100, progress, this);
    sqlite3_limit(db_, SQLITE_LIMIT_VARIABLE_NUMBER, 77);
    sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, 50'000'000);
    for (const int arity : {1, 2})
      sqlite3_create_function_v2(db_, "ask", arity, SQLITE_UTF8 | SQLITE_DIRECTONLY, this, ask_function, nullptr,
                                 nullptr, nullptr);
  }

  sqlite3* db() const { return db_; }
  HostDatabase& databases() { return *databases_; }
  Settings& settings() { return settings_; }
  void exec(const std::string& sql) const { db_.exec(sql); }
  // The first value of a statement of the host; it may call ask().
  std::string value(const std::string& sql) const { return db_.ask(sql); }

  // Runs `sql` in the sandbox, from outside any statement, and checks that the host is as it was.
  std::string ask(std::string_view sql, std::optional<std::string_view> database = std::nullopt) {
    const HostState before(db_);
    std::string answer = show(run(*databases_, database, sql, settings_));
    EXPECT_TRUE(HostState(db_) == before) << sql;
    expect_unharmed();
    return answer;
  }

  // The host's own authorizer and progress handler are in place and work.
  void expect_unharmed() {
    EXPECT_EQ(db_.ask("SELECT sqlite_source_id()"), "error: not authorized to use function: sqlite_source_id");
    const int calls = progress_calls_;
    EXPECT_EQ(
        db_.ask("WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM c WHERE x < 1000) SELECT count(*) FROM c"),
        "1000");
    EXPECT_GT(progress_calls_, calls);
    EXPECT_EQ(sqlite3_limit(db_, SQLITE_LIMIT_VARIABLE_NUMBER, -1), 77);
  }

  // The host and another connection can both commit to the database in the file `path` at once: nobody holds a lock.
  void expect_no_lock(const std::string& path) {
    exec("CREATE TABLE IF NOT EXISTS lock_probe(x); INSERT INTO lock_probe VALUES (1)");
    const TestConnection other(path);
    other.exec("BEGIN EXCLUSIVE; INSERT INTO lock_probe VALUES (2); COMMIT");
  }

  // Closes the connection, as an application does: first the functions go, then the rest.
  void close() {
    databases_.reset();
    db_.close();
  }

 private:
  static int authorize(void*, int action, const char*, const char* second, const char*, const char*) {
    return action == SQLITE_FUNCTION && std::string_view(second) == "sqlite_source_id" ? SQLITE_DENY : SQLITE_OK;
  }
  static int progress(void* self) {
    ++static_cast<Host*>(self)->progress_calls_;
    return 0;
  }
  static void ask_function(sqlite3_context* context, int count, sqlite3_value** arguments) {
    auto* host = static_cast<Host*>(sqlite3_user_data(context));
    // Lives as long as the statement: a negative index is not tied to an argument.
    constexpr int scope_index = -20231;
    auto* scope = static_cast<StatementScope*>(sqlite3_get_auxdata(context, scope_index));
    if (scope == nullptr) {
      scope = std::make_unique<StatementScope>().release();
      sqlite3_set_auxdata(context, scope_index, scope, [](void* data) {
        const std::unique_ptr<StatementScope> owned(static_cast<StatementScope*>(data));
      });
      scope = static_cast<StatementScope*>(sqlite3_get_auxdata(context, scope_index));
    }
    const auto text = [](sqlite3_value* value) {
      return std::string(reinterpret_cast<const char*>(sqlite3_value_text(value)));
    };
    std::optional<std::string> database;
    if (count > 1 && sqlite3_value_type(arguments[1]) != SQLITE_NULL) database = text(arguments[1]);
    const HostState before(host->db_);
    const auto result = run(*host->databases_, database, text(arguments[0]), host->settings_, scope);
    EXPECT_TRUE(HostState(host->db_) == before) << text(arguments[0]);
    const std::string answer = show(result);
    sqlite3_result_text(context, answer.data(), static_cast<int>(answer.size()), SQLITE_TRANSIENT);
  }

  TestConnection db_;
  std::unique_ptr<HostDatabase> databases_;
  Settings settings_;
  int progress_calls_ = 0;
};

}  // namespace trustsql::test
