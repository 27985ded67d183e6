// GuardedConnection: a private connection that runs untrusted queries within limits. sandbox.hpp says what it
// guarantees and what it does not.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/results/result_set.hpp"
#include "db/sandbox/authorizer.hpp"
#include "db/sandbox/bounded_functions.hpp"
#include "db/sandbox/expansion.hpp"
#include "db/sandbox/sandbox.hpp"
#include "db/sandbox/watchdog.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/statement.hpp"

namespace trustsql {

class GuardedConnection {
 public:
  explicit GuardedConnection(Connection connection)
      : connection_(std::move(connection)),
        lock_wait_(connection_.handle(), least_lock_wait, [this] { return look_at_clock(); }) {}
  GuardedConnection(const GuardedConnection&) = delete;
  GuardedConnection& operator=(const GuardedConnection&) = delete;

  // Hardens the connection; in Mode::query it is read-only from then on. Call it once. Errors: as sqlite_error().
  Status guard(Authorizer::Mode mode = Authorizer::Mode::query, LikeFunction like = LikeFunction::bounded);

  sqlite3* handle() const { return connection_.handle(); }
  Authorizer& authorizer() { return authorizer_; }
  const SandboxLimits& limits() const { return limits_; }
  void set_limits(const SandboxLimits& limits);
  // As Sandbox::set_stop().
  void set_stop(std::function<bool()> stop);
  // The views that queries may read.
  void set_views(ViewExpansions views) { views_ = std::move(views); }
  // No query runs past this moment, whatever its timeout.
  void set_deadline(std::chrono::steady_clock::time_point deadline) { last_moment_ = deadline; }

  // Starts the time limit of a query. If SQLite has no progress handler, the clock runs while the result of this
  // function lives, and `stop` is not called.
  using Clock = std::unique_ptr<Watchdog>;
  [[nodiscard]] Clock start_clock();
  // Whether what runs has to stop now: its time is over, or `stop` says so.
  bool look_at_clock();
  // Whether the limit of time or of steps, rather than `stop`, ended the last query, and the error that says so.
  bool reached_limit() const { return stopped_by_ == Stop::deadline || stopped_by_ == Stop::steps || watchdog_fired_; }
  Error limit_error() const;
  // `error`, of reading; if the query waited for a lock until its time was over or `stop` said so, the error that says
  // that.
  Error read_error(Error error) const;

  // A query that has passed all checks.
  struct Query {
    Statement statement;
    int length_limit = 0;  // maximum bytes of a text or blob that it may produce

    std::vector<std::string> column_names() const;
  };
  // Prepares `sql`, which must be one SELECT. Errors: as Sandbox::run(). Precondition: the clock is running.
  Result<Query> prepare_query(std::string_view sql);
  // All rows of `query`, which is reset afterwards. Errors: as Sandbox::run(). Precondition: the clock is running.
  Result<ResultSet> fetch(const Query& query);

  // Whether a file error or a lack of memory has occurred, so that the connection should not be used again.
  bool broken() const { return broken_; }

 private:
  enum class Stop { nothing, deadline, steps, requested };

  static int on_progress(void* self) noexcept;
  bool must_stop();
  int expression_depth() const;
  void set_length_limit(int bytes);
  Result<ResultSet> fetch_rows(const Query& query);
  // The Error for a query that ended with SQLite's result code `code`.
  Error failure(int code, bool preparing);
  // `error`, whose result code is SQLITE_ERROR, with what its message alone says about its kind, and with the limit or
  // rule of the sandbox that is the reason.
  Error rejection(Error error) const;

  Connection connection_;
  LockWait lock_wait_;
  Authorizer authorizer_;
  ViewExpansions views_;
  SandboxLimits limits_;
  int length_limit_ = 0;  // currently in force
  bool broken_ = false;

  // State of the progress handler.
  Stop stopped_by_ = Stop::nothing;
  std::optional<Error> stop_failure_;  // stop_ threw an exception
  std::int64_t steps_ = 0;             // that the query has taken, about
  int calls_to_skip_ = 0;
  int calls_skipped_ = 0;
  std::chrono::steady_clock::time_point last_look_;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point last_moment_ = std::chrono::steady_clock::time_point::max();
  std::atomic<bool> watchdog_fired_ = false;
  std::function<bool()> stop_;
  std::chrono::steady_clock::time_point next_stop_;  // when stop_ is called next
};

}  // namespace trustsql
