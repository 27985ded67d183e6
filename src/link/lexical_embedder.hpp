// LexicalEmbedder: vectors of texts from their words alone. Needs no network and no download, and is the same everywhere.
//
// A text's vector is the weighted sum of its words' (word_vectors.hpp), where common words count less. In a qualified name
// ("db.table.column") the last part counts most. In context, as a transformer's token vectors are, a word's vector leans
// towards the words of the context that are near it, and towards the context as a whole.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/embedder.hpp"
#include "link/word_vectors.hpp"

namespace trustsql::link {

struct ContextWeights {
  float attention = 0.3F;  // of the words of the context that are near a word, against the word itself
  float whole = 0.25F;     // of the whole context
};

class LexicalEmbedder : public Embedder {
 public:
  explicit LexicalEmbedder(const FeatureWeights& features = {}, const ContextWeights& context = {}) : features_(features), context_(context) {}

  std::string name() const override;
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& context) override;

  // The same without ceremony: it cannot fail. Vectors have WordVectors::dimensions elements.
  std::vector<Vector> embed(std::span<const std::string> texts) const;
  Vector embed_one(std::string_view text) const;

  // Of each text, read with `context` before it, the mean of its own words' vectors in that context (CRUSH4SQL, 3.2.1).
  std::vector<Vector> embed_in_context(std::string_view context, std::span<const std::string> texts) const;

  // A vector for each word of `text` that carries meaning, for methods that compare word by word.
  std::vector<Vector> embed_words(std::string_view text) const;

 private:
  FeatureWeights features_;
  ContextWeights context_;
};

}  // namespace trustsql::link
