// PrivateSandbox: the Sandbox, on a private connection.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "db/sandbox/guarded_connection.hpp"
#include "db/sources/version_ledger.hpp"

namespace trustsql {

class PrivateSandbox final : public Sandbox {
 public:
  // Takes over `connection`, which open_layout(layout) opened, and hardens it. `layout` and `ledger` must outlive the
  // sandbox. Errors: as sqlite_error().
  static Result<std::unique_ptr<PrivateSandbox>> create(Connection connection, const Layout& layout,
                                                        VersionLedger& ledger);
  ~PrivateSandbox() override;
  PrivateSandbox(const PrivateSandbox&) = delete;
  PrivateSandbox& operator=(const PrivateSandbox&) = delete;

  Result<ResultSet> run(std::string_view sql) override;
  Result<std::vector<std::string>> prepare(std::string_view sql) override;
  void interrupt() override { sqlite3_interrupt(connection_.handle()); }
  void set_stop(std::function<bool()> stop) override { connection_.set_stop(std::move(stop)); }
  void set_deadline(std::chrono::steady_clock::time_point deadline) override { connection_.set_deadline(deadline); }
  Result<std::uint64_t> version() override;
  Result<std::uint64_t> begin_read() override;
  void end_read() override;
  std::optional<FileState> file_state() override;

  // The cookies of the database's schemas, and its catalog. Errors: as sqlite_error().
  Result<std::vector<Catalog::Schema>> schema_cookies();
  Result<Catalog> read_catalog();

  void set_limits(const SandboxLimits& limits) { connection_.set_limits(limits); }
  // As GuardedConnection::broken().
  bool broken() const { return connection_.broken(); }
  // Whether one of the database's files is in WAL mode, so that the connection holds a shared lock for as long as it is
  // open.
  bool in_wal_mode() const;

 private:
  PrivateSandbox(Connection connection, const Layout& layout, VersionLedger& ledger);

  // Reads the views that queries may expand. Errors: io.
  Status read_views();
  // `error`, prefixed with the name of the database if reading it failed.
  Error about_database(Error error) const;
  // `result`, or the error of the limit that ended it.
  template <class T>
  Result<T> explain(Result<T> result) const {
    if (!result.ok() && connection_.reached_limit()) return connection_.limit_error();
    return result;
  }

  GuardedConnection connection_;
  const Layout& layout_;
  VersionLedger& ledger_;
  DataVersions versions_;
  VersionLedger::Member member_;
  bool reading_ = false;
};

}  // namespace trustsql
