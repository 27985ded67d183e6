// GuardedConnection: a private connection on which queries that nobody has vouched for are run, within limits.
// What it promises, and what it does not, stands in sandbox.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/authorizer.hpp"
#include "db/connection.hpp"
#include "db/result_set.hpp"
#include "db/sandbox.hpp"
#include "db/statement.hpp"
#include "db/watchdog.hpp"

namespace trustsql {

class GuardedConnection {
 public:
  explicit GuardedConnection(Connection connection) : connection_(std::move(connection)) {}
  GuardedConnection(const GuardedConnection&) = delete;
  GuardedConnection& operator=(const GuardedConnection&) = delete;

  // Hardens the connection, which is read-only from then on in Mode::query. To be called once. Errors: as
  // sqlite_error().
  Status guard(Authorizer::Mode mode = Authorizer::Mode::query);

  sqlite3* handle() const { return connection_.handle(); }
  Authorizer& authorizer() { return authorizer_; }
  const SandboxLimits& limits() const { return limits_; }
  void set_limits(const SandboxLimits& limits);
  // As Sandbox::set_stop().
  void set_stop(std::function<bool()> stop);
  // No query runs past this moment, whatever its timeout.
  void set_deadline(std::chrono::steady_clock::time_point deadline) { last_moment_ = deadline; }

  // Begins the time that a query may take. Where SQLite has no progress handler, time passes while the result lives;
  // `stop` is not called then.
  using Clock = std::unique_ptr<Watchdog>;
  [[nodiscard]] Clock start_clock();
  // Whether the clock, rather than `stop`, ended what ran last.
  bool timed_out() const { return stopped_by_ == Stop::deadline || watchdog_bit_; }
  Error deadline_error() const;

  // A query that has passed all checks.
  struct Query {
    Statement statement;
    int length_limit = 0;  // bytes of the texts and blobs that it may make

    std::vector<std::string> column_names() const;
  };
  // Prepares `sql`, which must be one SELECT. Errors: as Sandbox::run(). Precondition: the clock runs.
  Result<Query> prepare_query(std::string_view sql);
  // All rows of `query`, which is left reset. Errors: as Sandbox::run(). Precondition: the clock runs.
  Result<ResultSet> fetch(const Query& query);

  // Whether an error of the file or the lack of memory has been met, so that the connection should not be used again.
  bool broken() const { return broken_; }

 private:
  enum class Stop { nothing, deadline, requested };

  static int on_progress(void* self) noexcept;
  bool must_stop();
  bool look_at_clock();
  void set_length_limit(int bytes);
  Result<ResultSet> fetch_rows(const Query& query);
  // What ended the query, as an Error; `code` is SQLite's result code.
  Error failure(int code, bool preparing);

  Connection connection_;
  Authorizer authorizer_;
  SandboxLimits limits_;
  int length_limit_ = 0;  // the one in force
  bool broken_ = false;

  // What the progress handler looks at.
  Stop stopped_by_ = Stop::nothing;
  int calls_to_skip_ = 0;
  int calls_skipped_ = 0;
  std::chrono::steady_clock::time_point last_look_;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point last_moment_ = std::chrono::steady_clock::time_point::max();
  std::atomic<bool> watchdog_bit_ = false;
  std::function<bool()> stop_;
  std::chrono::steady_clock::time_point next_stop_;  // when stop_ is called again
};

}  // namespace trustsql
