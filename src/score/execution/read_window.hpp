// ReadWindow: one read transaction for several short queries in a row.
//
// Locking and unlocking a database file takes about as long as a short query, so the lock is kept from one query to the
// next. But a lock keeps other connections from committing, so after a while it is released and taken again, between
// two queries.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"

namespace trustsql {

class ReadWindow {
 public:
  // How long the lock is kept; a query that has begun is still finished.
  static constexpr std::chrono::milliseconds longest{20};

  // `sandbox` must outlive the window and have no other read transaction. Does not begin a transaction.
  explicit ReadWindow(Sandbox& sandbox) : sandbox_(&sandbox) {}

  Sandbox& sandbox() const { return *sandbox_; }

  // From now until close() or the next open(), queries see one state of the database. Returns its version, which is
  // unchanged if it is still the state of the last open(). Errors: as Sandbox::begin_read().
  Result<std::uint64_t> open() {
    const auto now = std::chrono::steady_clock::now();
    if (reading_ && now - begun_ < longest) return reading_->version();
    close();
    TRUSTSQL_ASSIGN_OR_RETURN(ReadTransaction reading, ReadTransaction::begin(*sandbox_));
    reading_.emplace(std::move(reading));
    begun_ = now;
    return reading_->version();
  }

  void close() { reading_.reset(); }

 private:
  Sandbox* sandbox_;
  std::optional<ReadTransaction> reading_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace trustsql
