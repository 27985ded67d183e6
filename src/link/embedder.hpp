// Embedder: texts to vectors whose dot product says how near their meanings are.
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

// Of unit length, or all zeros for a text without a word.
using Vector = std::vector<float>;

class Embedder {
 public:
  virtual ~Embedder() = default;

  // What made the vectors, for the keys of caches: vectors of two embedders of one name can be compared.
  virtual std::string name() const = 0;

  // How many numbers its vectors have; 0 where that is not known yet: an endpoint's before its first answer.
  // Thread-safe.
  virtual std::size_t dimensions() const = 0;

  // One vector for each text, all of one size. Thread-safe. Errors: those of llm::ChatModel::complete().
  virtual Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& call) = 0;

  // The same, each text read as the end of `context` (CRUSH4SQL, 3.2.1: the probe "x t.c", of which the words of "t.c"
  // are pooled). Where the vectors of single words cannot be had, a text's own vector and `weight` times that of the
  // context.
  virtual Result<std::vector<Vector>> embed_in_context(const std::string& context, std::span<const std::string> texts,
                                                       float weight, const llm::CallContext& call);
};

// `vectors`, to be compared with others that have `dimensions` numbers each. An empty one, of a text that no server was
// asked for, is all zeros. Error (io): one has another number of them, so that the model behind `embedder` (its name)
// has changed, or the place where the others were kept has not been written by it.
Result<std::vector<Vector>> with_dimensions(std::vector<Vector> vectors, std::size_t dimensions,
                                            std::string_view embedder);

}  // namespace trustsql::link
