// Corpus: a set of elements made ready for retrieval. Made once for a schema, used for many questions, by several
// threads.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "link/abbreviations.hpp"
#include "link/element.hpp"
#include "link/element_index.hpp"
#include "link/embedder.hpp"
#include "link/methods.hpp"
#include "link/vector_store.hpp"

namespace trustsql::link {

class Corpus {
 public:
  static constexpr std::size_t max_elements = 250'000;

  // Vectors come from `store` (unless null) as far as it has usable ones; the others from `embedder`, and are then put
  // there. Errors: those of both; limit_exceeded (max_elements).
  static Result<std::shared_ptr<const Corpus>> build(ElementSet elements, Embedder& embedder, VectorStore* store,
                                                     const llm::CallContext& call);

  const ElementSet& elements() const { return elements_; }
  const ElementIndex& index() const { return index_; }
  // Whether its vectors can be compared with those of `embedder`, as far as that knows how long they are.
  bool fits(const Embedder& embedder) const;
  const Abbreviations& abbreviations() const { return abbreviations_; }
  // Made by the first call.
  const MaxSim& word_index() const;

 private:
  Corpus(ElementSet elements, ElementIndex index);

  ElementSet elements_;
  ElementIndex index_;
  Abbreviations abbreviations_;
  mutable std::once_flag word_index_made_;
  mutable std::optional<MaxSim> word_index_;
};

}  // namespace trustsql::link
