// PooledSource: a SandboxSource whose private connections are opened from one Layout and kept for reuse.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "db/layout.hpp"
#include "db/private_sandbox.hpp"
#include "db/sandbox.hpp"
#include "db/version_ledger.hpp"

namespace trustsql {

class PooledSource final : public SandboxSource, public std::enable_shared_from_this<PooledSource> {
 public:
  // `first` is a connection that open_layout(layout) made, which the source takes over. At most `keep` connections
  // without a lease are kept open, and none where a file is in WAL mode, but for what retain() says; the
  // first one stays until its first lease ends, or a release().
  // Errors: as sqlite_error().
  static Result<std::shared_ptr<PooledSource>> create(Layout layout, Connection first, const SandboxLimits& limits, std::size_t keep);

  Result<SandboxLease> lease() override;
  std::string_view name() const override { return layout_.name; }
  std::uint64_t identity() const override { return identity_; }

  // Limits and number of kept connections for leases from now on; the leases held keep theirs.
  void configure(const SandboxLimits& limits, std::size_t keep);

  // Between retain() and release() connections without a lease are kept although a file is in WAL mode; the last
  // release() closes them.
  void retain();
  void release();

  // Whether one of the files is in WAL mode, so that a connection holds a shared lock for as long as it is open.
  bool uses_wal() const { return uses_wal_; }

 private:
  PooledSource(Layout layout, const SandboxLimits& limits, std::size_t keep);
  void give_back(Sandbox* sandbox);
  std::size_t most_idle() const { return uses_wal_ && retentions_ == 0 ? 0 : keep_; }

  const Layout layout_;
  const std::uint64_t identity_;
  bool uses_wal_ = false;
  VersionLedger ledger_;
  std::mutex mutex_;  // guards what follows
  SandboxLimits limits_;
  std::size_t keep_;
  std::size_t retentions_ = 0;
  std::vector<std::unique_ptr<PrivateSandbox>> idle_;
};

}  // namespace trustsql
