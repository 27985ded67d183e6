#include "semparse/knowledge_cache.hpp"

#include <algorithm>

namespace trustsql::semparse {

void KnowledgeCache::keep_in(std::shared_ptr<ValueStore> store) {
  const std::lock_guard lock(mutex_);
  store_ = std::move(store);
}

Result<std::shared_ptr<const Knowledge>> KnowledgeCache::knowledge(SandboxSource& source, const Catalog& catalog,
                                                                   Sandbox& sandbox) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto read, ReadTransaction::begin(sandbox));
  const std::lock_guard lock(mutex_);
  const auto database = source.identity();
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.database == database; });
  if (found != known_.end() && found->version == read.version()) {
    std::rotate(found, found + 1, known_.end());
    return known_.back().knowledge;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto knowledge,
                            Knowledge::build(catalog, sandbox, Knowledge::max_reading_time, store_.get()));
  if (found != known_.end()) known_.erase(found);
  if (known_.size() == max_databases) known_.erase(known_.begin());
  known_.push_back({database, read.version(), knowledge});
  return knowledge;
}

}  // namespace trustsql::semparse
