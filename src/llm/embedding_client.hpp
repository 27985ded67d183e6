// EmbeddingClient: vectors of texts from an OpenAI-compatible endpoint.
//
// Every text is cached separately, so that it does not matter which texts are requested together.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "llm/chat.hpp"

namespace trustsql::llm {

class EndpointClient;
class ResponseCache;

class EmbeddingClient {
 public:
  // `cache` may be null. `concurrency`: the maximum number of concurrent requests.
  EmbeddingClient(std::shared_ptr<EndpointClient> client, std::shared_ptr<ResponseCache> cache, std::string model,
                  std::size_t concurrency);

  // The model's name and the server's address: vectors of clients with the same name can be compared.
  const std::string& name() const { return name_; }

  // The dimension of the most recent vectors; 0 before the first.
  std::size_t dimensions() const { return dimensions_; }

  // One vector for each text, all of one dimension, as returned by the server (not normalised). Thread-safe. Adds to
  // `usage`, unless null. Errors: those of ChatModel::complete().
  Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts, const RequestContext& context,
                                                Usage* usage = nullptr);

 private:
  Status ask(std::span<const std::string> texts, std::span<std::vector<float>> vectors, const RequestContext& context,
             Usage& usage);
  Status ask_batch(std::span<const std::string> texts, std::span<std::vector<float>> vectors,
                   const RequestContext& context, Usage& usage);

  std::shared_ptr<EndpointClient> client_;
  std::shared_ptr<ResponseCache> cache_;
  std::string model_;
  std::string name_;
  std::size_t concurrency_;
  std::atomic<std::size_t> dimensions_ = 0;
};

}  // namespace trustsql::llm
