#include "llm/endpoint_chat.hpp"

#include <array>
#include <vector>

#include "base/guard.hpp"
#include "base/parallel_for.hpp"
#include "llm/endpoint_client.hpp"
#include "llm/response_cache.hpp"

namespace trustsql::llm {

namespace {

constexpr std::string_view chat_service = "chat";
constexpr std::size_t max_requests_for_samples = 16;  // concurrent requests

// Two requests have the same key if they ask for the same, regardless of the dialect in which they are sent.
std::string cache_key(const ChatRequest& request) {
  std::string key = encode_chat(request, request.samples, {});
  if (request.repeat > 0) key += "\nrepeat " + std::to_string(request.repeat);
  return key;
}

}  // namespace

EndpointChat::EndpointChat(std::shared_ptr<EndpointClient> client, std::shared_ptr<ResponseCache> cache,
                           Defaults defaults)
    : client_(std::move(client)), cache_(std::move(cache)), defaults_(defaults) {}

Result<ChatReply> EndpointChat::complete(const ChatRequest& original, const RequestContext& context) {
  ChatRequest request = original;
  if (!request.max_tokens) request.max_tokens = defaults_.max_tokens;
  if (!request.seed) request.seed = defaults_.seed;
  if (request.samples < 1) return internal_error("a request for zero samples");
  if (!cache_) return ask(request, context);

  const std::array<std::string, 1> key = {cache_key(request)};
  const auto& url = client_->endpoint().public_url;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto cached, cache_->find(chat_service, url, key));
  if (cached.front()) {
    auto reply = decode_chat(*cached.front(), client_->secrets());
    if (!reply.ok()) return std::move(reply).error().with_prefix("the cache");
    reply->usage.cached = 1;
    return reply;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto reply, ask(request, context));
  TRUSTSQL_RETURN_IF_ERROR(cache_->keep(chat_service, url, key, std::array<std::string, 1>{encode_reply(reply)}));
  return reply;
}

Result<ChatReply> EndpointChat::ask(const ChatRequest& request, const RequestContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto reply, ask_once(request, learnt_.one_sample ? 1 : request.samples, context));
  const auto wanted = static_cast<std::size_t>(request.samples);
  if (reply.choices.size() < wanted) TRUSTSQL_RETURN_IF_ERROR(ask_for_the_rest(request, context, reply));
  reply.choices.resize(wanted);
  return reply;
}

// Requests the samples that the first reply lacked, each by a separate request with its own seed.
Status EndpointChat::ask_for_the_rest(const ChatRequest& request, const RequestContext& context, ChatReply& reply) {
  const std::size_t received = reply.choices.size();
  const std::size_t missing = static_cast<std::size_t>(request.samples) - received;
  std::vector<std::optional<Result<ChatReply>>> replies(missing);
  std::atomic<bool> stopped = false;
  RequestContext on_workers = context;
  on_workers.stop = [&stopped] { return stopped.load(); };
  const auto work = [&](std::size_t i) {
    ChatRequest sample_request = request;
    if (sample_request.seed) *sample_request.seed += static_cast<std::int64_t>(received + i);
    replies[i] = guarded([&] { return ask_once(sample_request, 1, on_workers); });
    if (!replies[i]->ok()) stopped = true;  // then the other samples are not needed
  };
  const auto poll = [&] {
    if (context.stop && context.stop()) stopped = true;
    return stopped.load();
  };
  if (missing == 1) {
    on_workers.stop = context.stop;
    work(0);
  } else if (!context.may_use_threads) {
    on_workers.stop = poll;
    parallel_for(missing, 1, work, poll);
  } else {
    parallel_for(missing, max_requests_for_samples, work, poll);
  }

  const Error* first = nullptr;  // the others may have been interrupted because of it
  for (const auto& sample_reply : replies) {
    if (!sample_reply || sample_reply->ok()) continue;
    if (first == nullptr || first->code == ErrorCode::interrupted) first = &sample_reply->error();
  }
  if (first != nullptr) return *first;
  for (auto& sample_reply : replies) {
    if (!sample_reply) return Error{ErrorCode::interrupted, "interrupted"};
    reply.usage += (*sample_reply)->usage;
    reply.choices.push_back(std::move((*sample_reply)->choices.front()));
  }
  return ok_status();
}

Result<ChatReply> EndpointChat::ask_once(const ChatRequest& request, int samples, const RequestContext& context) {
  Usage usage;
  while (true) {
    const ChatDialect dialect = {.max_completion_tokens = learnt_.max_completion_tokens};
    ChatReply reply;
    const auto read = [&](const std::string& body) -> Status {
      TRUSTSQL_ASSIGN_OR_RETURN(reply, decode_chat(body, client_->secrets()));
      return ok_status();
    };
    TRUSTSQL_ASSIGN_OR_RETURN(const auto answer,
                              client_->post(encode_chat(request, samples, dialect), read, context, usage));
    if (answer.ok()) {
      const std::int64_t tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens;
      for (Budget* budget : {context.call_budget, context.connection_budget})
        if (budget != nullptr) budget->count_tokens(tokens);
      reply.usage += usage;
      return reply;
    }
    // Some servers reject two fields that can be avoided.
    const bool unknown_field = answer.status == 400 || answer.status == 422;
    if (unknown_field && request.max_tokens && !dialect.max_completion_tokens &&
        answer.message.find("max_completion_tokens") != std::string::npos) {
      learnt_.max_completion_tokens = true;
    } else if (unknown_field && samples > 1 &&
               (answer.field == "n" || answer.message.find("'n'") != std::string::npos ||
                answer.message.find("\"n\"") != std::string::npos || answer.message.find("`n`") != std::string::npos)) {
      learnt_.one_sample = true;
      samples = 1;
    } else {
      return client_->refusal(answer);
    }
  }
}

}  // namespace trustsql::llm
