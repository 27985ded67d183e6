#include "db/watchdog.hpp"

namespace trustsql {

Watchdog::Watchdog(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& bitten)
    : thread_([this, db, deadline, &bitten] { watch(db, deadline, bitten); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_called_off_ = true;
  }
  called_off_.notify_one();
  thread_.join();
}

void Watchdog::watch(sqlite3* db, std::chrono::steady_clock::time_point deadline, std::atomic<bool>& bitten) noexcept {
  constexpr std::chrono::milliseconds interval{10};
  std::unique_lock lock(mutex_);
  for (auto next = deadline; !called_off_.wait_until(lock, next, [&] { return is_called_off_; });
       next = std::chrono::steady_clock::now() + interval) {
    bitten.store(true);
    sqlite3_interrupt(db);
  }
}

}  // namespace trustsql
