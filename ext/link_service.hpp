// LinkService: what the functions of a connection share for schema retrieval: the embedder, and corpora made ready.
//
//   LlmCall call(session);
//   auto& service = LinkService::of(session);
//   TRUSTSQL_ASSIGN_OR_RETURN(auto embedder, service.embedder());
//   TRUSTSQL_ASSIGN_OR_RETURN(auto corpus, service.corpus(catalog, *embedder, call.context()));
//   link::Linker(*corpus, *embedder).link(...)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/catalog.hpp"
#include "ext/session.hpp"
#include "link/corpus.hpp"

namespace trustsql::ext {

// Of a connection; host thread only. What it hands out is thread-safe and stays usable when settings change.
class LinkService {
 public:
  explicit LinkService(Session& session) : session_(session) {}

  static LinkService& of(Session& session) { return session.objects().shared<LinkService>(session); }

  // The endpoint's where embeddings are set and this connection may use the network, else the embedded one.
  // Errors: those of LlmService::embeddings().
  Result<std::shared_ptr<link::Embedder>> embedder();

  // The embedded one, which asks no server.
  std::shared_ptr<link::Embedder> embedded();

  // The elements of `catalog`, or these elements, made ready; the last few are kept. Vectors are kept in the place that
  // link_index names. Errors: of that place, of the embedder.
  Result<std::shared_ptr<const link::Corpus>> corpus(const std::shared_ptr<const Catalog>& catalog,
                                                     link::Embedder& embedder, const llm::CallContext& call);
  Result<std::shared_ptr<const link::Corpus>> corpus(link::ElementSet elements, link::Embedder& embedder,
                                                     const llm::CallContext& call);

 private:
  struct Known {
    std::shared_ptr<const Catalog> catalog;  // null: elements that were handed in
    std::uint64_t content = 0;               // hash of those
    std::string embedder;
    std::string place;  // link_index
    std::shared_ptr<const link::Corpus> corpus;
  };
  Result<std::shared_ptr<const link::Corpus>> build(link::ElementSet elements, Known known, link::Embedder& embedder,
                                                    const llm::CallContext& call);
  Result<std::unique_ptr<link::VectorStore>> store() const;

  Session& session_;
  std::shared_ptr<link::Embedder> embedded_;
  std::vector<Known> known_;  // the latest last
};

}  // namespace trustsql::ext
