#include "equiv/comparer_pool.hpp"

#include <algorithm>

namespace trustsql::equiv {

Result<ComparerPool::Lease> ComparerPool::lease(SandboxSource& source) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source.catalog());
  std::unique_ptr<QueryComparer> comparer;
  {
    const std::lock_guard lock(mutex_);
    const auto comparer_of_schema =
        std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& idle) { return idle->catalog() == catalog; });
    if (comparer_of_schema != idle_.rend()) {
      comparer = std::move(*comparer_of_schema);
      idle_.erase(std::prev(comparer_of_schema.base()));
    }
  }
  if (comparer == nullptr) {
    TRUSTSQL_ASSIGN_OR_RETURN(comparer, QueryComparer::create(source, limits_));
  }
  return Lease(comparer.release(), [this](QueryComparer* leased) { give_back(leased); });
}

void ComparerPool::give_back(QueryComparer* comparer) {
  std::unique_ptr<QueryComparer> owned(comparer);
  std::unique_ptr<QueryComparer> dropped;  // destroyed outside of the lock
  const std::lock_guard lock(mutex_);
  if (idle_.size() == capacity) {
    dropped = std::move(idle_.front());
    idle_.erase(idle_.begin());
  }
  idle_.push_back(std::move(owned));
}

}  // namespace trustsql::equiv
