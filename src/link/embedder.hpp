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

  // One vector for each text, all of one size. Thread-safe. Errors: those of llm::ChatModel::complete().
  virtual Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& context) = 0;
};

}  // namespace trustsql::link
