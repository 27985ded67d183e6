#include "ext/services/link_service.hpp"

#include <algorithm>

#include "db/stores/host_table.hpp"
#include "db/stores/side_store.hpp"
#include "ext/services/llm_service.hpp"
#include "link/endpoint_embedder.hpp"
#include "link/lexical_embedder.hpp"
#include "link/stored_vectors.hpp"

namespace trustsql::ext {

namespace {

constexpr std::size_t max_cached_corpora = 4;
constexpr std::string_view table_prefix = "table:";
constexpr const char* vector_table = "trustsql_vectors";

std::uint64_t hash_of(const link::ElementSet& elements) {
  std::uint64_t hash = elements.size();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const auto* part : {&elements[i].database, &elements[i].table, &elements[i].column})
      hash = hash_bytes(*part, hash);
    for (const auto linked : elements.linked(i)) hash = mix64(hash ^ linked);
  }
  return hash;
}

}  // namespace

Result<std::shared_ptr<link::Embedder>> LinkService::embedder() {
  auto& service = LlmService::of(session_);
  if (service.has_embeddings()) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto client, service.embeddings());
    return std::shared_ptr<link::Embedder>(std::make_shared<link::EndpointEmbedder>(std::move(client)));
  }
  return embedded();
}

std::shared_ptr<link::Embedder> LinkService::embedded() {
  if (!embedded_) embedded_ = std::make_shared<link::LexicalEmbedder>();
  return embedded_;
}

Result<std::unique_ptr<link::VectorStore>> LinkService::store() const {
  const std::string& place = session_.settings().text(Setting::link_index);
  if (place.empty()) return std::unique_ptr<link::VectorStore>();
  if (place.starts_with(table_prefix)) {
    using InTable = link::StoredVectors<std::unique_ptr<HostTable>>;
    return std::unique_ptr<link::VectorStore>(std::make_unique<InTable>(
        std::make_unique<HostTable>(session_.host(), place.substr(table_prefix.size()), vector_table)));
  }
  auto file = SideStore::open(place, SideStore::Mode::read_write);
  if (!file.ok()) return std::move(file).error().with_prefix("setting link_index");
  using InFile = link::StoredVectors<std::unique_ptr<SideStore>>;
  return std::unique_ptr<link::VectorStore>(std::make_unique<InFile>(std::move(file).value()));
}

Result<std::shared_ptr<const link::Corpus>> LinkService::build(link::ElementSet elements, Known known,
                                                               link::Embedder& embedder, const llm::CallContext& call) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, store());
  TRUSTSQL_ASSIGN_OR_RETURN(known.corpus, link::Corpus::build(std::move(elements), embedder, vectors.get(), call));
  if (known_.size() == max_cached_corpora) known_.erase(known_.begin());
  known_.push_back(known);
  return known.corpus;
}

Result<std::shared_ptr<const link::Corpus>> LinkService::corpus(const std::shared_ptr<const Catalog>& catalog,
                                                                link::Embedder& embedder,
                                                                const llm::CallContext& call) {
  const std::string name = embedder.name();
  const std::string& place = session_.settings().text(Setting::link_index);
  for (const auto& known : known_)
    if (known.catalog == catalog && known.embedder == name && known.place == place && known.corpus->fits(embedder))
      return known.corpus;
  return build(link::elements_of(*catalog), {catalog, 0, name, place, nullptr}, embedder, call);
}

Result<std::shared_ptr<const link::Corpus>> LinkService::corpus(link::ElementSet elements, link::Embedder& embedder,
                                                                const llm::CallContext& call) {
  const std::string name = embedder.name();
  const std::string& place = session_.settings().text(Setting::link_index);
  const std::uint64_t content = hash_of(elements);
  for (const auto& known : known_) {
    const bool same =
        known.catalog == nullptr && known.content == content && known.embedder == name && known.place == place;
    if (same && known.corpus->fits(embedder) && known.corpus->elements().elements() == elements.elements())
      return known.corpus;
  }
  return build(std::move(elements), {nullptr, content, name, place, nullptr}, embedder, call);
}

}  // namespace trustsql::ext
