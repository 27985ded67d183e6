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

  std::size_t dimensions() const override { return client_->dimensions(); }

  // Texts of white space alone, which servers refuse, are not sent: they have zeros. Where there are only such, the
  // vectors have as many as the last ones, and are empty before the first answer.
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& context) override;

 private:
  std::shared_ptr<llm::EmbeddingClient> client_;
};

}  // namespace trustsql::link
