// A connection with the extension linked in, for benchmarks that go through SQL.
#pragma once

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "trustsql/trustsql.h"

namespace trustsql_bench {

class Host {
 public:
  Host() {
    check(sqlite3_open(":memory:", &db_), "open");
    check(sqlite3_trustsql_init(db_, nullptr, nullptr), "load");
  }
  ~Host() { sqlite3_close(db_); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // The rows of the last statement that has any, as texts; NULL is "NULL". Ends the program if a statement fails.
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    std::vector<std::vector<std::string>> result;
    const char* unread = sql.c_str();
    while (*unread != '\0') {
      sqlite3_stmt* statement = nullptr;
      check(sqlite3_prepare_v2(db_, unread, -1, &statement, &unread), sql);
      if (statement == nullptr) continue;
      if (sqlite3_column_count(statement) > 0) result.clear();
      int code = SQLITE_DONE;
      while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        auto& row = result.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
          const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
          row.emplace_back(text == nullptr ? "NULL" : text);
        }
      }
      if (code != SQLITE_DONE) check(code, sql);
      sqlite3_finalize(statement);
    }
    return result;
  }
  std::string value(const std::string& sql) {
    const auto result = rows(sql);
    return result.empty() ? "" : result.front().at(0);
  }
  void set(const std::string& key, const std::string& value_of) {
    rows("SELECT trustsql_config(" + quoted(key) + ", " + quoted(value_of) + ")");
  }

  static std::string quoted(const std::string& text) {
    std::string sql = "'";
    for (const char c : text) sql += c == '\'' ? "''" : std::string(1, c);
    return sql + "'";
  }

 private:
  void check(int code, const std::string& sql) {
    if (code == SQLITE_OK) return;
    std::fprintf(stderr, "%s: %s\n", sql.c_str(), sqlite3_errmsg(db_));
    std::exit(1);
  }

  sqlite3* db_ = nullptr;
};

}  // namespace trustsql_bench
