// LlmService: gives the functions of a connection access to language models and embeddings.
//
//   LlmCall call(session);                                   // one for each call of a SQL function
//   TRUSTSQL_ASSIGN_OR_RETURN(const auto chat, LlmService::of(session).chat());
//   TRUSTSQL_ASSIGN_OR_RETURN(auto reply, chat->complete(request, call.context()));
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "ext/services/session.hpp"
#include "llm/chat.hpp"
#include "llm/embedding_client.hpp"
#include "llm/endpoint.hpp"

namespace trustsql::ext {

// One for each connection; host thread only. The objects that it returns are thread-safe and stay usable when settings
// change.
class LlmService {
 public:
  explicit LlmService(Session& session);

  static LlmService& of(Session& session) { return session.objects().shared<LlmService>(session); }

  // Whether a server is configured: for chat by llm_url; for embeddings by embed_url, or by embed_model together with
  // llm_url.
  bool has_chat() const;
  bool has_embeddings() const;

  // The clients for the current settings; no connection is opened and no library is loaded before the first request.
  // Errors: invalid_argument (no server is configured, a setting is invalid), not_allowed (the extension was loaded
  // without network access), io (the cache cannot be opened).
  Result<std::shared_ptr<llm::ChatModel>> chat();
  Result<std::shared_ptr<llm::EmbeddingClient>> embeddings();

  // Allows at least `concurrency` concurrent requests, for a call that needs more than the setting llm_concurrency.
  // Precondition: chat() or embeddings() has succeeded.
  void raise_concurrency(std::size_t concurrency);

  // Whether prompts for chat() may contain values from the database (setting llm_send_rows).
  bool sends_rows() const;
  // Whether examples may go to the server of chat(), or of embeddings() (settings llm_send_examples and llm_send_rows).
  bool sends_examples(llm::Service service) const;
  // The error (not_allowed) of an option 'examples' if they may not go to the server of chat().
  Status check_examples_may_go() const;

  llm::Budget& connection_budget();

 private:
  struct Clients;
  Status refresh();

  Session& session_;
  std::uint64_t generation_ = 0;  // generation of the settings that clients_ was created from
  std::shared_ptr<Clients> clients_;
  llm::Budget connection_budget_{llm::Budget::Scope::connection};
};

// The name of the model that `stage` (one of Setting::llm_model_*) names; llm_model if it is empty.
const std::string& model_of(const Settings& settings, Setting stage);

// One call of a SQL function: its budget, and whether the host has been interrupted. Created and destroyed in the
// host's thread while the statement runs.
class LlmCall {
 public:
  explicit LlmCall(Session& session);
  LlmCall(const LlmCall&) = delete;
  LlmCall& operator=(const LlmCall&) = delete;

  // For requests from any thread: in the host's thread, `stop` probes the host connection; in another thread it returns
  // what the host's thread saw last. So a call that works on other threads must have the host's thread call stopped()
  // from time to time (the `poll` of parallel_for).
  const llm::RequestContext& context() const { return context_; }
  bool stopped();

 private:
  HostDatabase& database_;
  const std::thread::id host_thread_;
  std::atomic<bool> stopped_ = false;
  llm::Budget budget_;
  llm::RequestContext context_;
};

}  // namespace trustsql::ext
