// PooledSource: a SandboxSource whose private connections are opened from one Layout and kept for reuse.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "db/sandbox/private_sandbox.hpp"
#include "db/sandbox/sandbox.hpp"
#include "db/sources/layout.hpp"
#include "db/sources/version_ledger.hpp"

namespace trustsql {

class PooledSource final : public SandboxSource, public std::enable_shared_from_this<PooledSource> {
 public:
  // `first` is a connection from open_layout(layout) that the source takes over. At most `keep` connections without a
  // lease are kept open. A connection to a file in WAL mode, which holds a lock on that file for as long as it is open,
  // is kept only between retain() and release(); the first connection also until its first lease ends. Errors: as
  // sqlite_error().
  static Result<std::shared_ptr<PooledSource>> create(Layout layout, Connection first, const SandboxLimits& limits,
                                                      std::size_t keep);

  Result<SandboxLease> lease() override;
  Result<std::shared_ptr<const Catalog>> catalog() override;
  std::string_view name() const override { return layout_.name; }
  std::uint64_t identity() const override { return identity_; }

  // Sets the limits and the number of kept connections for future leases; current leases keep theirs.
  void configure(const SandboxLimits& limits, std::size_t keep);

  void retain();
  void release() noexcept;

 private:
  PooledSource(Layout layout, const SandboxLimits& limits, std::size_t keep);
  Result<std::unique_ptr<PrivateSandbox>> take();
  void give_back(Sandbox* sandbox) noexcept;

  const Layout layout_;
  const std::uint64_t identity_;
  VersionLedger ledger_;
  std::mutex mutex_;  // guards what follows
  SandboxLimits limits_;
  std::size_t keep_;
  std::size_t retentions_ = 0;
  std::vector<std::unique_ptr<PrivateSandbox>> idle_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace trustsql
