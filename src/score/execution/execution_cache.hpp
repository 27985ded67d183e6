// ExecutionCache: the results of queries that have already run, so that a gold query runs only once for all the
// predictions compared with it.
//
// The cache lives as long as one statement of the host. The key is the database, its version (Sandbox::version(): a
// database that has changed counts as another one) and the text of the query. When several threads request the same
// query at once, one runs it and the others wait. Failures that would recur are kept like results; an interrupt, for
// example, is not. The least recently used results are evicted when the total size exceeds the limit.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "db/results/result_set.hpp"
#include "db/sandbox/sandbox.hpp"

namespace trustsql {

// The outcome of running a query: its rows, shared and immutable, or why it failed.
using Execution = Result<std::shared_ptr<const ResultSet>>;

// Runs `sql` without a cache.
Execution execute(Sandbox& sandbox, std::string_view sql);

// Whether a failure is the query's fault (it was rejected, it failed, it exceeded a limit) rather than that of the
// circumstances (an interrupt, no memory, an unreadable file).
bool is_fault_of_query(const Error& error);

class ExecutionCache {
 public:
  // `max_bytes`: the total size of the results and texts kept; 0 keeps none (queries that run at the same time are
  // still shared).
  explicit ExecutionCache(std::int64_t max_bytes) : max_bytes_(max_bytes) {}
  ExecutionCache(const ExecutionCache&) = delete;
  ExecutionCache& operator=(const ExecutionCache&) = delete;

  // The outcome of running `sql` in `sandbox`, or of running it earlier on the same `source`
  // (SandboxSource::identity()) in the same `version`. Thread-safe if each thread has its own sandbox.
  Execution run(Sandbox& sandbox, std::uint64_t source, std::uint64_t version, std::string_view sql);

  struct Statistics {
    std::uint64_t hits = 0;    // taken from the cache, or from another thread
    std::uint64_t misses = 0;  // queries run
    std::int64_t bytes = 0;    // of the entries kept now
  };
  Statistics statistics() const;

 private:
  struct KeyView {
    std::uint64_t source;
    std::uint64_t version;
    std::string_view sql;
    friend bool operator==(const KeyView&, const KeyView&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const KeyView& key) const;
  };
  struct Entry {
    std::string sql;
    KeyView key;                         // refers to `sql` above
    std::optional<Execution> execution;  // empty while it runs
    std::int64_t bytes = 0;
    std::list<std::shared_ptr<Entry>>::iterator place;  // in used_, once it is kept
  };

  void finish(std::list<std::shared_ptr<Entry>>& place, Execution execution) noexcept;
  void drop(const std::shared_ptr<Entry>& entry);

  const std::int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable finished_;
  std::unordered_map<KeyView, std::shared_ptr<Entry>, KeyHash> entries_;  // entries running or kept
  std::list<std::shared_ptr<Entry>> used_;                                // entries kept, most recently used first
  Statistics statistics_;
};

}  // namespace trustsql
