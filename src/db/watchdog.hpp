// Watchdog: a deadline for a connection of a SQLite that has no progress handler (SQLITE_OMIT_PROGRESS_CALLBACK).
//
// A thread of its own interrupts what the connection runs once the deadline has passed, and again every few
// milliseconds, since an interrupt that comes between two statements is lost. It lives as long as this object does,
// which is within one call of a SQL function. (https://sqlite.org/c3ref/interrupt.html)
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "db/sqlite_api.hpp"

namespace trustsql {

class Watchdog {
 public:
  // Watches over `db`, which must stay open meanwhile. `bitten`, which must outlive this object as well, becomes true
  // when the deadline has passed. Throws std::system_error where no thread can be had.
  Watchdog(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& bitten);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& bitten) noexcept;

  std::mutex mutex_;
  std::condition_variable called_off_;
  bool is_called_off_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace trustsql
