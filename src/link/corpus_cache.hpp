// CorpusCache: the corpora of the last few schemas, so that each is prepared once and used for many questions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "db/catalog/catalog.hpp"
#include "link/corpus.hpp"

namespace trustsql::link {

// Not thread-safe; the corpora that it returns are.
class CorpusCache {
 public:
  static constexpr std::size_t max_corpora = 4;  // the oldest is dropped

  // Where vectors are kept between connections.
  struct Place {
    const std::string& name;  // corpora of another place are prepared anew
    // Opens the store; null for none. Called only if a corpus has to be prepared.
    FunctionRef<Result<std::unique_ptr<VectorStore>>()> open;
  };

  // The corpus of the elements of `catalog`, by the identity of that object. Errors: those of `place.open` and of
  // Corpus::build().
  Result<std::shared_ptr<const Corpus>> corpus(const std::shared_ptr<const Catalog>& catalog, Embedder& embedder,
                                               const Place& place, const llm::RequestContext& call);

  // The corpus of `elements`, by their content. Errors: likewise.
  Result<std::shared_ptr<const Corpus>> corpus(ElementSet elements, Embedder& embedder, const Place& place,
                                               const llm::RequestContext& call);

 private:
  struct Known {
    std::shared_ptr<const Catalog> catalog;  // null: elements passed by the caller
    std::uint64_t content = 0;               // hash of those elements
    std::string embedder;
    std::string place;
    std::shared_ptr<const Corpus> corpus;
  };
  Result<std::shared_ptr<const Corpus>> build(ElementSet elements, Known known, Embedder& embedder, const Place& place,
                                              const llm::RequestContext& call);

  std::vector<Known> known_;  // the most recent last
};

}  // namespace trustsql::link
