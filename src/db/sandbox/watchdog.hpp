// Watchdog: a deadline for a connection if SQLite has no progress handler (SQLITE_OMIT_PROGRESS_CALLBACK).
//
// A separate thread interrupts the connection once the deadline has passed, and again every few milliseconds, since an
// interrupt between two statements has no effect. The thread lives as long as this object, that is, within one call of
// a SQL function. (https://sqlite.org/c3ref/interrupt.html)
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

class Watchdog {
 public:
  // Watches over `db`, which must stay open meanwhile. `expired`, which must outlive this object as well, becomes true
  // when the deadline has passed. Throws std::system_error if no thread can be started.
  Watchdog(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& expired) noexcept;

  std::mutex mutex_;
  std::condition_variable cancel_signal_;
  bool is_cancelled_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace trustsql
