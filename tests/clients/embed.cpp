// A C++ program with the extension linked in: connections in several threads, all through sqlite3_auto_extension().

#include <sqlite3.h>
#include <trustsql/trustsql.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Closer {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, Closer>;

Database open_memory() {
  sqlite3* db = nullptr;
  const int code = sqlite3_open(":memory:", &db);
  Database owned(db);
  return code == SQLITE_OK ? std::move(owned) : nullptr;
}

// Whether a query returns one row with this value.
bool returns(sqlite3* db, const std::string& sql, long long expected) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return false;
  const bool equal = sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) == expected &&
                     sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_finalize(statement) == SQLITE_OK && equal;
}

}  // namespace

int main() {
  if (sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_trustsql_init)) != SQLITE_OK) return EXIT_FAILURE;

  // Each thread has a connection, and each connection settings of its own.
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t) {
    threads.emplace_back([t, &failures] {
      for (int i = 1; i <= 25; ++i) {
        const Database db = open_memory();
        const int timeout = 1000 * t + i;
        const std::string set = "SELECT trustsql_config('timeout_ms', " + std::to_string(timeout) + ")";
        if (!db || !returns(db.get(), set, timeout) ||
            !returns(db.get(), "SELECT trustsql_config('timeout_ms')", timeout))
          ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  sqlite3_reset_auto_extension();
  if (failures == 0 && sqlite3_memory_used() != 0) ++failures;
  std::puts(failures == 0 ? "ok" : "failed");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
