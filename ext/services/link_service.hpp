// LinkService: what the functions of a connection share for schema retrieval: the embedder and the prepared corpora.
//
//   LlmCall call(session);
//   auto& service = LinkService::of(session);
//   TRUSTSQL_ASSIGN_OR_RETURN(auto embedder, service.embedder());
//   TRUSTSQL_ASSIGN_OR_RETURN(auto corpus, service.corpus(catalog, *embedder, call.context()));
//   link::Linker(*corpus, *embedder).link(...)
#pragma once

#include <memory>

#include "db/catalog/catalog.hpp"
#include "ext/services/session.hpp"
#include "link/corpus_cache.hpp"

namespace trustsql::ext {

// One for each connection; host thread only. The objects that it returns are thread-safe and stay usable when settings
// change.
class LinkService {
 public:
  explicit LinkService(Session& session) : session_(session) {}

  static LinkService& of(Session& session) { return session.objects().shared<LinkService>(session); }

  // The endpoint's embedder if embeddings are configured and this connection may use the network, else the embedded
  // one. Errors: those of LlmService::embeddings().
  Result<std::shared_ptr<link::Embedder>> embedder();

  // The embedded embedder, which sends no requests to a server.
  std::shared_ptr<link::Embedder> embedded();

  // The corpus of the elements of `catalog`, or of `elements`; cached (link::CorpusCache). Vectors are stored in
  // the location that the setting link_index names. Errors: those of that location and of the embedder.
  Result<std::shared_ptr<const link::Corpus>> corpus(const std::shared_ptr<const Catalog>& catalog,
                                                     link::Embedder& embedder, const llm::RequestContext& call);
  Result<std::shared_ptr<const link::Corpus>> corpus(link::ElementSet elements, link::Embedder& embedder,
                                                     const llm::RequestContext& call);

 private:
  Result<std::unique_ptr<link::VectorStore>> store() const;

  Session& session_;
  std::shared_ptr<link::Embedder> embedded_;
  link::CorpusCache corpora_;
};

}  // namespace trustsql::ext
