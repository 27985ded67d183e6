// Corpus: a set of elements prepared for retrieval. It is built once for a schema and used for many questions, by
// several threads.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "link/abbreviations.hpp"
#include "link/element.hpp"
#include "link/element_index.hpp"
#include "link/embedder.hpp"
#include "link/methods.hpp"
#include "link/name_index.hpp"
#include "link/vector_store.hpp"

namespace trustsql::link {

class Corpus {
 public:
  static constexpr std::size_t max_elements = 250'000;

  // Takes usable vectors from `store` (unless null) and the others from `embedder`, which are then added to the store.
  // Errors: those of both; limit_exceeded (max_elements).
  static Result<std::shared_ptr<const Corpus>> build(ElementSet elements, Embedder& embedder, VectorStore* store,
                                                     const llm::RequestContext& call);

  const ElementSet& elements() const { return elements_; }
  const ElementIndex& index() const { return index_; }
  // Whether the corpus's vectors have the dimension of those of `embedder`, or that dimension is not known yet.
  bool fits(const Embedder& embedder) const;
  const Abbreviations& abbreviations() const { return abbreviations_; }
  // Built by the first call.
  const MaxSim& word_index() const;
  // Likewise.
  const NameIndex& name_index() const;

 private:
  Corpus(ElementSet elements, ElementIndex index);

  ElementSet elements_;
  ElementIndex index_;
  Abbreviations abbreviations_;
  mutable std::once_flag word_index_built_;
  mutable std::optional<MaxSim> word_index_;
  mutable std::once_flag name_index_built_;
  mutable std::optional<NameIndex> name_index_;
};

}  // namespace trustsql::link
