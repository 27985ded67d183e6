// ContentCache: data read and computed from databases for prompts, kept for all questions of a batch or a connection.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "base/result.hpp"
#include "link/embedder.hpp"
#include "score/execution/execution_cache.hpp"

namespace trustsql::nl2sql {

class ContentCache {
 public:
  // `max_bytes`: limit for results, and the same again for vectors.
  explicit ContentCache(std::int64_t max_bytes = std::int64_t{64} << 20)
      : results_(max_bytes), max_vector_bytes_(max_bytes) {}

  // Results of the queries that ContentReader runs.
  ExecutionCache& results() { return results_; }

  struct VectorsKey {
    std::uint64_t source = 0;   // SandboxSource::identity()
    std::uint64_t version = 0;  // Sandbox::version()
    std::string query;          // that reads the rows
    std::string embedder;       // Embedder::name()
    friend auto operator<=>(const VectorsKey&, const VectorsKey&) = default;
  };
  using Vectors = std::vector<link::Vector>;

  // The vectors of rows: from the cache, or from `make`. Threads that request the same vectors at
  // once wait for the first one. Errors: those of `make`, which are not cached. Thread-safe.
  Result<std::shared_ptr<const Vectors>> vectors(const VectorsKey& key, const std::function<Result<Vectors>()>& make);

 private:
  struct Entry {
    VectorsKey key;
    std::mutex making;                       // held while the vectors are computed
    std::shared_ptr<const Vectors> vectors;  // null until computed
    std::int64_t bytes = 0;
    std::list<std::shared_ptr<Entry>>::iterator place;
  };
  std::shared_ptr<Entry> entry_of(const VectorsKey& key);
  void keep(const std::shared_ptr<Entry>& entry);

  ExecutionCache results_;
  const std::int64_t max_vector_bytes_;
  std::mutex mutex_;
  std::map<VectorsKey, std::shared_ptr<Entry>> entries_;
  std::list<std::shared_ptr<Entry>> used_;  // most recently used first
  std::int64_t vector_bytes_ = 0;
};

}  // namespace trustsql::nl2sql
