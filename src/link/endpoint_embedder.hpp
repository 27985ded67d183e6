// EndpointEmbedder: the vectors of an OpenAI-compatible endpoint, normalised to unit length.
#pragma once

#include <memory>

#include "link/embedder.hpp"
#include "llm/embedding_client.hpp"

namespace trustsql::link {

class EndpointEmbedder final : public Embedder {
 public:
  explicit EndpointEmbedder(std::shared_ptr<llm::EmbeddingClient> client) : client_(std::move(client)) {}

  std::string name() const override { return client_->name(); }

  std::size_t dimensions() const override { return client_->dimensions(); }

  // Texts of only white space, which servers reject, are not sent; their vectors are zeros. If there are only such
  // texts, the vectors have the dimension of the previous answer, and are empty before the first one.
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext& context) override;

 private:
  std::shared_ptr<llm::EmbeddingClient> client_;
};

}  // namespace trustsql::link
