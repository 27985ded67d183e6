// A host connection for tests of ext/: the extension linked in, results as text.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_api_routines;

namespace trustsql::ext::testing_support {

// SQL that creates the tables that the examples of the functions use.
std::string example_database();

// The function whose example writes the files that the example of `function` reads; empty if it reads none.
std::string_view writer_for_example(std::string_view function);

class Database {
 public:
  explicit Database(const std::string& setup = {}, const std::string& path = ":memory:") {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    if (!setup.empty()) rows(setup);
  }
  ~Database() { EXPECT_EQ(sqlite3_close(db_), SQLITE_OK) << "a statement was left open"; }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return db_; }

  void load(int (*init)(sqlite3*, char**, const sqlite3_api_routines*)) {
    char* message = nullptr;
    EXPECT_EQ(init(db_, &message, nullptr), SQLITE_OK) << (message != nullptr ? message : "");
    sqlite3_free(message);
  }

  // Runs all statements; the rows of the last one that has any, NULL as "NULL". A failure is a test failure.
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    std::vector<std::vector<std::string>> result;
    const std::string message = run(sql, result);
    EXPECT_EQ(message, "") << sql;
    return result;
  }

  // The first value of the first row.
  std::string value(const std::string& sql) {
    const auto result = rows(sql);
    return result.empty() ? "(no row)" : result.front().at(0);
  }

  // The message with which `sql` fails; "" if it does not.
  std::string error(const std::string& sql) {
    std::vector<std::vector<std::string>> ignored;
    return run(sql, ignored);
  }

  // The rows of the last statement that has any, and the message with which one fails; "" if none does.
  std::string run(const std::string& sql, std::vector<std::vector<std::string>>& result) {
    const char* unread = sql.c_str();
    while (*unread != '\0') {
      sqlite3_stmt* statement = nullptr;
      int code = sqlite3_prepare_v2(db_, unread, -1, &statement, &unread);
      if (code != SQLITE_OK) return sqlite3_errmsg(db_);
      if (statement == nullptr) continue;
      if (sqlite3_column_count(statement) > 0) result.clear();
      while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        auto& row = result.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
          const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
          row.emplace_back(text == nullptr ? "NULL" : text);
        }
      }
      const std::string message = code == SQLITE_DONE ? "" : sqlite3_errmsg(db_);
      sqlite3_finalize(statement);
      if (code != SQLITE_DONE) return message;
    }
    return {};
  }

 private:
  sqlite3* db_ = nullptr;
};

}  // namespace trustsql::ext::testing_support
