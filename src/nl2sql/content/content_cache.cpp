#include "nl2sql/content/content_cache.hpp"

namespace trustsql::nl2sql {

std::shared_ptr<ContentCache::Entry> ContentCache::entry_of(const VectorsKey& key) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[key];
  if (!entry) {
    entry = std::make_shared<Entry>();
    entry->key = key;
    entry->place = used_.insert(used_.begin(), entry);
  } else {
    used_.splice(used_.begin(), used_, entry->place);
  }
  return entry;
}

// Adds the size of a new entry to the total, and evicts the least recently used entries.
void ContentCache::keep(const std::shared_ptr<Entry>& entry) {
  std::int64_t bytes = sizeof(Entry);
  for (const auto& vector : *entry->vectors)
    bytes += static_cast<std::int64_t>(sizeof(vector) + vector.size() * sizeof(float));
  const std::lock_guard lock(mutex_);
  const auto position = entries_.find(entry->key);
  if (position == entries_.end() || position->second != entry) return;  // evicted while it was computed
  entry->bytes = bytes;
  vector_bytes_ += bytes;
  while (vector_bytes_ > max_vector_bytes_ && !used_.empty()) {
    const auto oldest = used_.back();
    vector_bytes_ -= oldest->bytes;
    entries_.erase(oldest->key);
    used_.pop_back();
  }
}

Result<std::shared_ptr<const ContentCache::Vectors>> ContentCache::vectors(
    const VectorsKey& key, const std::function<Result<Vectors>()>& make) {
  const auto entry = entry_of(key);
  const std::lock_guard making(entry->making);
  if (!entry->vectors) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, make());
    entry->vectors = std::make_shared<const Vectors>(std::move(vectors));
    keep(entry);
  }
  return entry->vectors;
}

}  // namespace trustsql::nl2sql
