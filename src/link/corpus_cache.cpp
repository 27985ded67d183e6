#include "link/corpus_cache.hpp"

namespace trustsql::link {

namespace {

std::uint64_t hash_of(const ElementSet& elements) {
  std::uint64_t hash = elements.size();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const auto* part : {&elements[i].database, &elements[i].table, &elements[i].column})
      hash = hash_bytes(*part, hash);
    for (const auto linked : elements.linked(i)) hash = mix64(hash ^ linked);
  }
  return hash;
}

}  // namespace

Result<std::shared_ptr<const Corpus>> CorpusCache::build(ElementSet elements, Known known, Embedder& embedder,
                                                         const Place& place, const llm::RequestContext& call) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, place.open());
  TRUSTSQL_ASSIGN_OR_RETURN(known.corpus, Corpus::build(std::move(elements), embedder, vectors.get(), call));
  if (known_.size() == max_corpora) known_.erase(known_.begin());
  known_.push_back(known);
  return known.corpus;
}

Result<std::shared_ptr<const Corpus>> CorpusCache::corpus(const std::shared_ptr<const Catalog>& catalog,
                                                          Embedder& embedder, const Place& place,
                                                          const llm::RequestContext& call) {
  const std::string name = embedder.name();
  for (const auto& known : known_)
    if (known.catalog == catalog && known.embedder == name && known.place == place.name && known.corpus->fits(embedder))
      return known.corpus;
  return build(elements_of(*catalog), {catalog, 0, name, place.name, nullptr}, embedder, place, call);
}

Result<std::shared_ptr<const Corpus>> CorpusCache::corpus(ElementSet elements, Embedder& embedder, const Place& place,
                                                          const llm::RequestContext& call) {
  const std::string name = embedder.name();
  const std::uint64_t content = hash_of(elements);
  for (const auto& known : known_) {
    const bool same =
        known.catalog == nullptr && known.content == content && known.embedder == name && known.place == place.name;
    if (same && known.corpus->fits(embedder) && known.corpus->elements().elements() == elements.elements())
      return known.corpus;
  }
  return build(std::move(elements), {nullptr, content, name, place.name, nullptr}, embedder, place, call);
}

}  // namespace trustsql::link
