#include "db/sandbox/watchdog.hpp"

namespace trustsql {

Watchdog::Watchdog(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& expired)
    : thread_([this, db, deadline, &expired] { watch(db, deadline, expired); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
  }
  cancel_signal_.notify_one();
  thread_.join();
}

void Watchdog::watch(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& expired) noexcept {
  constexpr std::chrono::milliseconds interval{10};
  std::unique_lock lock(mutex_);
  for (auto next = deadline; !cancel_signal_.wait_until(lock, next, [&] { return is_cancelled_; });
       next = std::chrono::steady_clock::now() + interval) {
    expired.store(true);
    sqlite3_interrupt(db);
  }
}

}  // namespace trustsql
