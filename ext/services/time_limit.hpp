// TimeLimit: the setting timeout_ms, and the host's interrupt, for a call that normalises queries.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "ext/services/session.hpp"

namespace trustsql::ext {

// Host thread only.
class TimeLimit {
 public:
  explicit TimeLimit(Session& session)
      : session_(session),
        timeout_(session.settings().integer(Setting::timeout_ms)),
        deadline_(Clock::now() + timeout_) {}
  // For a call whose own time ends at `deadline`.
  TimeLimit(Session& session, std::chrono::steady_clock::time_point deadline)
      : session_(session), timeout_(session.settings().integer(Setting::timeout_ms)), deadline_(deadline) {}
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Whether the work is to end. It must not outlive this object.
  std::function<bool()> stop() {
    return [this] {
      is_over_ = is_over_ || Clock::now() >= deadline_;
      return is_over_ || session_.database().interrupted();
    };
  }
  // The error of work that stop() ended.
  Error error() const {
    if (!is_over_) return Error{ErrorCode::interrupted, "interrupted"};
    return limit_exceeded("normalising the query takes longer than the setting timeout_ms = " +
                          std::to_string(timeout_.count()) + " allows");
  }
  // `result`, with that error if stop() ended the work.
  template <class T>
  Result<T> explain(Result<T> result) const {
    if (!result.ok() && result.error().code == ErrorCode::interrupted) return error();
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Session& session_;
  std::chrono::milliseconds timeout_;
  Clock::time_point deadline_;
  bool is_over_ = false;
};

}  // namespace trustsql::ext
