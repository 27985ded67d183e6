#include "score/execution/execution_cache.hpp"

#include <utility>

#include "base/guard.hpp"

namespace trustsql {

namespace {
constexpr std::int64_t entry_overhead = 256;  // approximate bytes of an entry without its text and rows
}  // namespace

Execution execute(Sandbox& sandbox, std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(ResultSet rows, sandbox.run(sql));
  return std::make_shared<const ResultSet>(std::move(rows));
}

bool is_fault_of_query(const Error& error) {
  switch (error.code) {
    case ErrorCode::query_failed:
    case ErrorCode::unknown_function:
    case ErrorCode::not_allowed:
    case ErrorCode::limit_exceeded: return true;
    case ErrorCode::invalid_argument:
    case ErrorCode::interrupted:
    case ErrorCode::io:
    case ErrorCode::out_of_memory:
    case ErrorCode::internal: return false;
  }
  return false;
}

std::size_t ExecutionCache::KeyHash::operator()(const KeyView& key) const {
  return mix64(hash(ValueView::of_text(key.sql)) ^ mix64(key.source ^ mix64(key.version)));
}

Execution ExecutionCache::run(Sandbox& sandbox, std::uint64_t source, std::uint64_t version, std::string_view sql) {
  const KeyView key{source, version, sql};
  std::unique_lock lock(mutex_);
  for (auto cached = entries_.find(key); cached != entries_.end(); cached = entries_.find(key)) {
    const std::shared_ptr<Entry> entry = cached->second;
    finished_.wait(lock, [&] { return entry->execution.has_value(); });
    // A failure that is not the query's fault (an interrupt, no memory) may concern the other thread alone: try again.
    if (!entry->execution->ok() && !is_fault_of_query(entry->execution->error())) continue;
    ++statistics_.hits;
    if (entry->place != used_.end()) used_.splice(used_.begin(), used_, entry->place);
    return *entry->execution;
  }

  ++statistics_.misses;
  const auto entry = std::make_shared<Entry>();
  entry->sql = sql;
  entry->key = {source, version, entry->sql};
  entry->place = used_.end();
  std::list<std::shared_ptr<Entry>> place = {entry};
  entries_.emplace(entry->key, entry);
  lock.unlock();
  Execution execution = guarded([&] { return execute(sandbox, sql); });
  Execution copy = guarded([&] { return execution; });
  lock.lock();
  finish(place, std::move(copy));
  return execution;
}

// Publishes the outcome of the entry in `place`, and keeps the entry if it may be kept. Called under the lock.
// Allocates nothing, since other threads may be waiting for the outcome.
void ExecutionCache::finish(std::list<std::shared_ptr<Entry>>& place, Execution execution) noexcept {
  const std::shared_ptr<Entry> entry = place.front();
  const bool lasting = execution.ok() || is_fault_of_query(execution.error());
  const std::size_t payload = execution.ok() ? execution.value()->byte_size() : execution.error().message.size();
  entry->bytes = static_cast<std::int64_t>(payload + entry->sql.size()) + entry_overhead;
  entry->execution.emplace(std::move(execution));
  finished_.notify_all();
  if (!lasting || entry->bytes > max_bytes_) {
    entries_.erase(entry->key);
    return;
  }
  used_.splice(used_.begin(), place);
  entry->place = used_.begin();
  statistics_.bytes += entry->bytes;
  while (statistics_.bytes > max_bytes_) drop(used_.back());
}

// Evicts an entry that was kept. Threads that wait for it or use its rows still share ownership. Called under the lock.
void ExecutionCache::drop(const std::shared_ptr<Entry>& kept) {
  const std::shared_ptr<Entry> entry = kept;
  entries_.erase(entry->key);
  used_.erase(entry->place);
  entry->place = used_.end();
  statistics_.bytes -= entry->bytes;
}

ExecutionCache::Statistics ExecutionCache::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace trustsql
