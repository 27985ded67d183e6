#include "ext/services/link_service.hpp"

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"
#include "db/stores/host_table.hpp"
#include "db/stores/side_store.hpp"
#include "ext/services/llm_service.hpp"
#include "link/endpoint_embedder.hpp"
#include "link/lexical_embedder.hpp"
#include "link/stored_vectors.hpp"

namespace trustsql::ext {

namespace {

constexpr std::string_view table_prefix = "table:";
constexpr const char* vector_table = "trustsql_vectors";

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
    const std::string schema = place.substr(table_prefix.size());
    TRUSTSQL_ASSIGN_OR_RETURN(const auto known,
                              query_integer(session_.host(), "SELECT count(*) FROM pragma_database_list WHERE name = " +
                                                                 quote_string(schema) + " COLLATE NOCASE"));
    if (known == 0 && !equals_ignore_case(schema, "temp"))
      return invalid_argument("setting 'link_index': this connection has no database " + quote_for_message(schema));
    return std::unique_ptr<link::VectorStore>(
        std::make_unique<InTable>(std::make_unique<HostTable>(session_.host(), schema, vector_table)));
  }
  auto file = SideStore::open(place, SideStore::Mode::read_write);
  if (!file.ok()) return std::move(file).error().with_prefix("setting 'link_index'");
  using InFile = link::StoredVectors<std::unique_ptr<SideStore>>;
  return std::unique_ptr<link::VectorStore>(std::make_unique<InFile>(std::move(file).value()));
}

Result<std::shared_ptr<const link::Corpus>> LinkService::corpus(const std::shared_ptr<const Catalog>& catalog,
                                                                link::Embedder& embedder,
                                                                const llm::RequestContext& call) {
  const auto open = [this] { return store(); };
  return corpora_.corpus(catalog, embedder, {session_.settings().text(Setting::link_index), open}, call);
}

Result<std::shared_ptr<const link::Corpus>> LinkService::corpus(link::ElementSet elements, link::Embedder& embedder,
                                                                const llm::RequestContext& call) {
  const auto open = [this] { return store(); };
  return corpora_.corpus(std::move(elements), embedder, {session_.settings().text(Setting::link_index), open}, call);
}

}  // namespace trustsql::ext
