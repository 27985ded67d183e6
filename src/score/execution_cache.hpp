// ExecutionCache: the results of queries that were run already, so that one gold query is run once for all the
// predictions that it judges.
//
// Lives as long as one statement of the host. Keyed by database, by its version (Sandbox::version(): a database that
// has changed is another one) and by text. When several threads ask for the same query at once, one runs it and the
// others wait. Failures are kept like results where running again would fail again; an interrupt, for one, is not kept.
// The least recently used results go when their bytes exceed the limit.
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
#include "db/result_set.hpp"
#include "db/sandbox.hpp"

namespace trustsql {

// What running a query gave: rows that nobody may change, or why there are none.
using Execution = Result<std::shared_ptr<const ResultSet>>;

// Runs `sql` without a cache.
Execution execute(Sandbox& sandbox, std::string_view sql);

// Whether a failure says that the query is at fault (it was rejected, it failed, it went over a limit) rather than the
// circumstances (an interrupt, no memory, an unreadable file).
bool is_fault_of_query(const Error& error);

class ExecutionCache {
 public:
  // `max_bytes`: of results and texts kept; 0 keeps none (queries that run at the same time are shared all the same).
  explicit ExecutionCache(std::int64_t max_bytes) : max_bytes_(max_bytes) {}
  ExecutionCache(const ExecutionCache&) = delete;
  ExecutionCache& operator=(const ExecutionCache&) = delete;

  // What running `sql` in `sandbox` gives, or gave earlier on the same `source` (SandboxSource::identity()) in the same
  // `version`. Thread-safe, with a sandbox for each thread.
  Execution run(Sandbox& sandbox, std::uint64_t source, std::uint64_t version, std::string_view sql);

  struct Statistics {
    std::uint64_t hits = 0;    // taken from the cache, or from another thread
    std::uint64_t misses = 0;  // run
    std::int64_t bytes = 0;    // kept now
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
    KeyView key;                         // whose text is `sql`
    std::optional<Execution> execution;  // empty while it runs
    std::int64_t bytes = 0;
    std::list<std::shared_ptr<Entry>>::iterator place;  // in used_, once it is kept
  };

  void finish(std::list<std::shared_ptr<Entry>>& place, Execution execution) noexcept;
  void drop(const std::shared_ptr<Entry>& entry);

  const std::int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable finished_;
  std::unordered_map<KeyView, std::shared_ptr<Entry>, KeyHash> entries_;  // those that run and those that are kept
  std::list<std::shared_ptr<Entry>> used_;                                // those that are kept, the latest used first
  Statistics statistics_;
};

}  // namespace trustsql
