#include "db/sources/pooled_source.hpp"

#include <algorithm>
#include <utility>

namespace trustsql {

namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

PooledSource::PooledSource(Layout layout, const SandboxLimits& limits, std::size_t keep)
    : layout_(std::move(layout)), identity_(next_identity()), ledger_(layout_), limits_(limits), keep_(keep) {}

Result<std::shared_ptr<PooledSource>> PooledSource::create(Layout layout, Connection first, const SandboxLimits& limits,
                                                           std::size_t keep) {
  std::shared_ptr<PooledSource> source(
      new PooledSource(std::move(layout), limits, keep));  // the constructor is private
  TRUSTSQL_ASSIGN_OR_RETURN(auto sandbox, PrivateSandbox::create(std::move(first), source->layout_, source->ledger_));
  source->idle_.push_back(std::move(sandbox));
  return source;
}

Result<SandboxLease> PooledSource::lease() {
  SandboxLease lease(nullptr, [source = shared_from_this()](Sandbox* leased) { source->give_back(leased); });
  TRUSTSQL_ASSIGN_OR_RETURN(auto sandbox, take());
  lease.reset(sandbox.release());
  return lease;
}

Result<std::shared_ptr<const Catalog>> PooledSource::catalog() {
  TRUSTSQL_ASSIGN_OR_RETURN(const SandboxLease leased, lease());
  auto& reader = static_cast<PrivateSandbox&>(*leased);
  TRUSTSQL_ASSIGN_OR_RETURN(const ReadTransaction reading, ReadTransaction::begin(reader));
  std::shared_ptr<const Catalog> cached;
  {
    const std::lock_guard guard(mutex_);
    cached = catalog_;
  }
  if (cached) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto cookies, reader.schema_cookies());
    if (std::ranges::equal(cookies, cached->schemas())) return cached;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(Catalog read, reader.read_catalog());
  auto fresh = std::make_shared<const Catalog>(std::move(read));
  const std::lock_guard guard(mutex_);
  catalog_ = fresh;
  return fresh;
}

Result<std::unique_ptr<PrivateSandbox>> PooledSource::take() {
  std::unique_ptr<PrivateSandbox> sandbox;
  SandboxLimits limits;
  {
    const std::lock_guard guard(mutex_);
    limits = limits_;
    idle_.reserve(keep_);  // so that give_back(), which must not fail, need not allocate
    if (!idle_.empty()) {
      sandbox = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!sandbox) {
    TRUSTSQL_ASSIGN_OR_RETURN(Connection connection, open_layout(layout_, limits.lock_wait));
    TRUSTSQL_ASSIGN_OR_RETURN(sandbox, PrivateSandbox::create(std::move(connection), layout_, ledger_));
  }
  sandbox->set_limits(limits);
  return sandbox;
}

void PooledSource::give_back(Sandbox* leased) noexcept {
  std::unique_ptr<PrivateSandbox> sandbox(static_cast<PrivateSandbox*>(leased));
  sandbox->end_read();
  sandbox->set_stop({});
  sandbox->set_deadline(std::chrono::steady_clock::time_point::max());
  if (sandbox->broken()) return;
  const bool holds_lock = sandbox->in_wal_mode();
  const std::lock_guard guard(mutex_);
  if (holds_lock && retentions_ == 0) {
    ledger_.dismiss_witness();
  } else if (idle_.size() < std::min(keep_, idle_.capacity())) {
    idle_.push_back(std::move(sandbox));
  }
}

void PooledSource::configure(const SandboxLimits& limits, std::size_t keep) {
  const std::lock_guard guard(mutex_);
  limits_ = limits;
  keep_ = keep;
}

void PooledSource::retain() {
  const std::lock_guard guard(mutex_);
  ++retentions_;
}

void PooledSource::release() noexcept {
  const std::lock_guard guard(mutex_);
  if (--retentions_ > 0) return;
  if (std::erase_if(idle_, [](const auto& sandbox) { return sandbox->in_wal_mode(); }) > 0) ledger_.dismiss_witness();
}

}  // namespace trustsql
