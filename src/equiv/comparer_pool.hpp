// ComparerPool: QueryComparers for many threads.
//
// A comparer belongs to one schema and to one thread at a time, and takes some milliseconds to create; idle ones are
// therefore kept as long as the schema does not change.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "equiv/verdict.hpp"

namespace trustsql::equiv {

class ComparerPool {
 public:
  using Lease = std::unique_ptr<QueryComparer, std::function<void(QueryComparer*)>>;

  explicit ComparerPool(const SandboxLimits& limits) : limits_(limits) {}
  ComparerPool(const ComparerPool&) = delete;
  ComparerPool& operator=(const ComparerPool&) = delete;

  // A comparer for the schema of `source`, returned to the pool when the lease ends. Thread-safe; the pool must
  // outlive the lease. Errors: those of QueryComparer::create().
  Result<Lease> lease(SandboxSource& source);

 private:
  static constexpr std::size_t capacity = 32;

  void give_back(QueryComparer* comparer);

  const SandboxLimits limits_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<QueryComparer>> idle_;  // the most recently used one last
};

}  // namespace trustsql::equiv
