// EndpointChat: the language model behind an OpenAI-compatible endpoint, with the cache in front of it.
#pragma once

#include <atomic>
#include <memory>

#include "llm/chat.hpp"
#include "llm/chat_codec.hpp"

namespace trustsql::llm {

class EndpointClient;
class ResponseCache;

class EndpointChat final : public ChatModel {
 public:
  struct Defaults {  // for requests that do not set them
    std::optional<int> max_tokens;
    std::optional<std::int64_t> seed;
  };

  // `cache` may be null.
  EndpointChat(std::shared_ptr<EndpointClient> client, std::shared_ptr<ResponseCache> cache, Defaults defaults);

  Result<ChatReply> complete(const ChatRequest& request, const RequestContext& context) override;

 private:
  // Restrictions of the server that were learnt from its refusals.
  struct Learnt {
    std::atomic<bool> one_sample = false;
    std::atomic<bool> max_completion_tokens = false;
  };

  Result<ChatReply> ask(const ChatRequest& request, const RequestContext& context);
  Result<ChatReply> ask_once(const ChatRequest& request, int samples, const RequestContext& context);
  Status ask_for_the_rest(const ChatRequest& request, const RequestContext& context, ChatReply& reply);

  std::shared_ptr<EndpointClient> client_;
  std::shared_ptr<ResponseCache> cache_;
  Defaults defaults_;
  Learnt learnt_;
};

}  // namespace trustsql::llm
