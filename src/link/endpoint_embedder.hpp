// EndpointEmbedder: the vectors of an OpenAI-compatible endpoint, brought to unit length.
#pragma once

#include <memory>

#include "link/embedder.hpp"
#include "llm/embedding_client.hpp"

namespace trustsql::link {

class EndpointEmbedder final : public Embedder {
 public:
  explicit EndpointEmbedder(std::shared_ptr<llm::EmbeddingClient> client) : client_(std::move(client)) {}

  std::string name() const override { return client_->name(); }

  // Texts of white space alone, which servers refuse, are not sent: they have zeros. Where there are only such, the vectors
  // are empty.
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& context) override;

 private:
  std::shared_ptr<llm::EmbeddingClient> client_;
};

}  // namespace trustsql::link
