#include "db/pooled_source.hpp"

#include <utility>

#include "base/text.hpp"

namespace trustsql {

namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Result<bool> in_wal_mode(sqlite3* db, const Layout& layout) {
  for (const LayoutDatabase& database : layout.databases) {
    if (database.image) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(Statement mode, prepare(db, "PRAGMA " + quote_identifier(database.schema) + ".journal_mode"));
    TRUSTSQL_RETURN_IF_ERROR(mode.step());
    if (mode.column_text(0) == "wal") return true;
  }
  return false;
}

}  // namespace

PooledSource::PooledSource(Layout layout, const SandboxLimits& limits, std::size_t keep)
    : layout_(std::move(layout)), identity_(next_identity()), ledger_(layout_), limits_(limits), keep_(keep) {}

Result<std::shared_ptr<PooledSource>> PooledSource::create(Layout layout, Connection first, const SandboxLimits& limits, std::size_t keep) {
  std::shared_ptr<PooledSource> source(new PooledSource(std::move(layout), limits, keep));  // the constructor is private
  TRUSTSQL_ASSIGN_OR_RETURN(source->uses_wal_, in_wal_mode(first.handle(), source->layout_));
  TRUSTSQL_ASSIGN_OR_RETURN(auto sandbox, PrivateSandbox::create(std::move(first), source->layout_, source->ledger_));
  source->idle_.push_back(std::move(sandbox));
  return source;
}

Result<SandboxLease> PooledSource::lease() {
  std::unique_ptr<PrivateSandbox> sandbox;
  SandboxLimits limits;
  {
    const std::lock_guard guard(mutex_);
    limits = limits_;
    if (!idle_.empty()) {
      sandbox = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!sandbox) {
    TRUSTSQL_ASSIGN_OR_RETURN(Connection connection, open_layout(layout_));
    TRUSTSQL_ASSIGN_OR_RETURN(sandbox, PrivateSandbox::create(std::move(connection), layout_, ledger_));
  }
  sandbox->set_limits(limits);
  return SandboxLease(sandbox.release(), [source = shared_from_this()](Sandbox* leased) { source->give_back(leased); });
}

void PooledSource::give_back(Sandbox* leased) {
  std::unique_ptr<PrivateSandbox> sandbox(static_cast<PrivateSandbox*>(leased));
  sandbox->end_read();
  sandbox->set_stop({});
  if (sandbox->broken()) return;
  const std::lock_guard guard(mutex_);
  if (idle_.size() < most_idle()) idle_.push_back(std::move(sandbox));
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

void PooledSource::release() {
  std::vector<std::unique_ptr<PrivateSandbox>> closing;
  const std::lock_guard guard(mutex_);
  if (--retentions_ > 0 || !uses_wal_) return;
  closing.swap(idle_);
  ledger_.dismiss_witness();
}

}  // namespace trustsql
