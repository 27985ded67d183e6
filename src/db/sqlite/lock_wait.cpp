#include "db/sqlite/lock_wait.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "base/guard.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

namespace {

constexpr std::chrono::milliseconds longest_lock_wait = std::chrono::hours(1);

}  // namespace

std::chrono::milliseconds lock_wait_of(sqlite3* db) {
  const auto timeout = query_integer(db, "PRAGMA busy_timeout");
  if (!timeout.ok()) return least_lock_wait;
  return std::chrono::milliseconds(
      std::clamp<std::int64_t>(*timeout, least_lock_wait.count(), longest_lock_wait.count()));
}

LockWait::LockWait(sqlite3* db, std::chrono::milliseconds longest, std::function<bool()> ends)
    : db_(db), longest_(longest), ends_(std::move(ends)) {
  sqlite3_busy_handler(db_, on_busy, this);
}

LockWait::~LockWait() { sqlite3_busy_handler(db_, nullptr, nullptr); }

int LockWait::on_busy(void* self, int calls) noexcept {
  const auto waits = guarded([&] { return static_cast<LockWait*>(self)->wait(calls); });
  return waits.ok() && *waits ? 1 : 0;
}

// `calls`: how often it was called before for this lock. Waits a little longer with each call.
bool LockWait::wait(int calls) {
  constexpr std::chrono::milliseconds longest_pause{25};
  const auto now = std::chrono::steady_clock::now();
  if (calls == 0) give_up_ = now + longest_;
  if (now >= give_up_ || ends_()) return false;
  const std::chrono::milliseconds pause{1 << std::min(calls, 8)};
  std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>({pause, longest_pause, give_up_ - now}));
  return true;
}

}  // namespace trustsql
