// PrivateSandbox: the Sandbox, on a private connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "db/authorizer.hpp"
#include "db/catalog.hpp"
#include "db/connection.hpp"
#include "db/sandbox.hpp"
#include "db/version_ledger.hpp"

namespace trustsql {

class PrivateSandbox final : public Sandbox {
 public:
  // Takes over `connection`, which open_layout(layout) made, and hardens it. `layout` and `ledger` must outlive the sandbox.
  // Errors: as sqlite_error().
  static Result<std::unique_ptr<PrivateSandbox>> create(Connection connection, const Layout& layout, VersionLedger& ledger);
  ~PrivateSandbox() override;
  PrivateSandbox(const PrivateSandbox&) = delete;
  PrivateSandbox& operator=(const PrivateSandbox&) = delete;

  Result<ResultSet> run(std::string_view sql) override;
  void interrupt() override { sqlite3_interrupt(connection_.handle()); }
  void set_stop(std::function<bool()> stop) override;
  Result<std::uint64_t> version() override;
  Result<std::uint64_t> begin_read() override;
  void end_read() override;

  // The cookies of its schemas, and its catalog. Errors: as sqlite_error().
  Result<std::vector<Catalog::Schema>> schema_cookies();
  Result<Catalog> read_catalog();

  void set_limits(const SandboxLimits& limits);
  // Whether an error of the file or the lack of memory has been met, so that the connection should not be used again.
  bool broken() const { return broken_; }
  // Whether one of its files is in WAL mode, so that the connection holds a shared lock for as long as it is open.
  bool in_wal_mode() const;

 private:
  enum class Stop { nothing, deadline, requested };

  PrivateSandbox(Connection connection, const Layout& layout, VersionLedger& ledger);
  static int on_progress(void* self) noexcept;
  bool must_stop() noexcept;

  void start_clock();
  void set_length_limit(int bytes);
  Result<Statement> prepare_query(std::string_view sql);
  Result<ResultSet> fetch(sqlite3_stmt* statement);
  // What ended the query, as an Error; `code` is SQLite's result code.
  Error failure(int code, bool preparing);
  Error deadline_error() const;
  // `error`, with the name of the database where reading it is what failed.
  Error about_database(Error error) const;
  // `result`, with the deadline as the reason if it was that.
  template <class T>
  Result<T> explain(Result<T> result) const {
    if (!result.ok() && stopped_by_ == Stop::deadline) return deadline_error();
    return result;
  }

  Connection connection_;
  const Layout& layout_;
  VersionLedger& ledger_;
  Authorizer authorizer_;
  SandboxLimits limits_;
  DataVersions versions_;
  VersionLedger::Member member_;
  int length_limit_ = 0;  // the one in force
  bool reading_ = false;
  bool broken_ = false;

  // What the progress handler looks at.
  Stop stopped_by_ = Stop::nothing;
  int calls_to_skip_ = 0;
  int calls_skipped_ = 0;
  std::chrono::steady_clock::time_point last_look_;
  std::chrono::steady_clock::time_point deadline_;
  std::function<bool()> stop_;
  std::chrono::steady_clock::time_point next_stop_;  // when stop_ is called again
};

}  // namespace trustsql
