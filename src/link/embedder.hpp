// Embedder: maps texts to vectors whose dot product measures the similarity of their meanings.
//
//   LexicalEmbedder   needs no network and no download (lexical_embedder.hpp)
//   EndpointEmbedder  an OpenAI-compatible endpoint's vectors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "llm/chat.hpp"

namespace trustsql::link {

// A vector of unit length, or all zeros for a text without words.
using Vector = std::vector<float>;

class Embedder {
 public:
  virtual ~Embedder() = default;

  // Identifies the source of the vectors, for cache keys: vectors of two embedders with the same name can be compared.
  virtual std::string name() const = 0;

  // The dimension of its vectors; 0 if it is not known yet (for an endpoint, before its first answer). Thread-safe.
  virtual std::size_t dimensions() const = 0;

  // One vector for each text, all of one dimension. Thread-safe. Errors: those of llm::ChatModel::complete().
  virtual Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext& call) = 0;

  // The same, but each text is read as the end of `context` (CRUSH4SQL, 3.2.1: in the probe "x t.c" the words of "t.c"
  // are pooled). If the vectors of single words are not available, the result is a text's own vector plus `weight`
  // times that of the context.
  virtual Result<std::vector<Vector>> embed_in_context(const std::string& context, std::span<const std::string> texts,
                                                       float weight, const llm::RequestContext& call);
};

// Checks that `vectors` can be compared with others of `dimensions` numbers, and returns them. An empty vector, of a
// text that was not sent to a server, becomes all zeros. Error (io): a vector has another number of elements, so either
// the model behind `embedder` (its name) has changed, or the store of the other vectors was not written by it.
Result<std::vector<Vector>> with_dimensions(std::vector<Vector> vectors, std::size_t dimensions,
                                            std::string_view embedder);

}  // namespace trustsql::link
