// LockWait: how long a connection waits for a lock of another one.
#pragma once

#include <chrono>
#include <functional>

struct sqlite3;

namespace trustsql {

// How long at least: a writer that is not in a hurry holds its lock for some milliseconds.
inline constexpr std::chrono::milliseconds least_lock_wait{500};

// The busy timeout of `db` (https://sqlite.org/pragma.html#pragma_busy_timeout), but at least least_lock_wait; that
// also if `db` cannot be asked or has a busy handler of its own. At most an hour.
std::chrono::milliseconds lock_wait_of(sqlite3* db);

// The busy handler of a connection for as long as this object lives (https://sqlite.org/c3ref/busy_handler.html). It is
// used instead of sqlite3_busy_timeout(), which waits in whole seconds if SQLite was compiled without HAVE_USLEEP, and
// which nothing ends early.
class LockWait {
 public:
  // Lets `db`, which must outlive this object, wait `longest` for each lock, and no longer once `ends` returns true.
  LockWait(sqlite3* db, std::chrono::milliseconds longest, std::function<bool()> ends);
  ~LockWait();
  LockWait(const LockWait&) = delete;
  LockWait& operator=(const LockWait&) = delete;

  void set_longest(std::chrono::milliseconds longest) { longest_ = longest; }

 private:
  static int on_busy(void* self, int calls) noexcept;
  bool wait(int calls);

  sqlite3* db_;
  std::chrono::milliseconds longest_;
  std::function<bool()> ends_;
  std::chrono::steady_clock::time_point give_up_;
};

}  // namespace trustsql
