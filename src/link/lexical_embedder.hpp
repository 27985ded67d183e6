// LexicalEmbedder: vectors of texts, computed from their words alone (the first 1,024 in the first 64 KB of a text). It
// needs no network and no download, and its results are the same on every machine.
//
// A text's vector is the weighted sum of its words' (word_vectors.hpp), where common words count less. In a qualified
// name ("db.table.column") the last part counts most. In a context, like a transformer's token vectors, a word's vector
// is moved towards the words of the context that are near it, and towards the context as a whole.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/embedder.hpp"
#include "link/word_vectors.hpp"

namespace trustsql::link {

class LexicalEmbedder : public Embedder {
 public:
  explicit LexicalEmbedder(const FeatureWeights& features = {}) : features_(features) {}

  std::string name() const override;
  std::size_t dimensions() const override { return WordVectors::dimensions; }
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext& call) override;
  // Each text is read with `context` before it: the mean of its own words' vectors in that context, as CRUSH4SQL pools
  // a transformer's (3.2.1).
  Result<std::vector<Vector>> embed_in_context(const std::string& context, std::span<const std::string> texts,
                                               float weight, const llm::RequestContext& call) override;

  // The same without a Result, since these cannot fail. Vectors have WordVectors::dimensions elements.
  std::vector<Vector> embed(std::span<const std::string> texts) const;
  std::vector<Vector> embed_in_context(const std::string& context, std::span<const std::string> texts,
                                       float weight) const;

  // A vector for each word of `text` that carries meaning, for methods that compare word by word.
  std::vector<Vector> embed_words(const std::string& text) const;

 private:
  FeatureWeights features_;
};

}  // namespace trustsql::link
