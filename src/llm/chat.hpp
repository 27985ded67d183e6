// Chat completions: what is asked of a language model and what it answers, whoever serves it.
//
// The shape is that of the OpenAI API's chat completions, which Ollama, llama.cpp, vLLM and others speak as well.
//
//   ChatModel    answers requests; the one that reaches the network is the endpoint client
//   CallContext  what one call of a SQL function hands down with every request: how it is stopped, what it may spend
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::llm {

enum class Role { system, user, assistant };
std::string_view role_name(Role role);

struct Message {
  Role role = Role::user;
  std::string text;  // UTF-8
  friend bool operator==(const Message&, const Message&) = default;
};

struct ChatRequest {
  std::string model;
  std::vector<Message> messages;
  double temperature = 0;
  int samples = 1;  // "n"; servers that ignore it are asked again until there are that many
  std::optional<std::int64_t> seed;
  std::optional<int> max_tokens;
  std::vector<std::string> stop;
  int top_logprobs = 0;  // how many alternatives of each token are asked for; 0: no log-probabilities at all
  // Which time this is asked: someone who wants another answer to the same question counts it up, since the cache would
  // else give the old one. Not sent, but added to the seed.
  int repeat = 0;
  friend bool operator==(const ChatRequest&, const ChatRequest&) = default;
};

struct TokenAlternative {
  std::string token;
  double logprob = 0;  // natural logarithm
};
struct TokenLogprob {
  std::string token;
  double logprob = 0;
  std::vector<TokenAlternative> top;  // by falling probability; may be shorter than was asked for
};

struct Choice {
  std::string text;                    // UTF-8; may be empty
  std::string finish_reason;           // "stop", "length", ... as the server says; may be empty
  std::vector<TokenLogprob> logprobs;  // empty where the server gives none
};

struct Usage {
  std::int64_t requests = 0;       // that reached the network, retries included
  std::int64_t cached = 0;         // that the cache answered
  std::int64_t prompt_tokens = 0;  // as the server counts; of cached answers what they cost when they were made
  std::int64_t completion_tokens = 0;
  double waited_ms = 0;

  Usage& operator+=(const Usage& other);
};

struct ChatReply {
  std::vector<Choice> choices;  // as many as samples were asked for; never empty
  Usage usage;
};

// What a call of a function, or a connection, may spend. Thread-safe.
class Budget {
 public:
  enum class Scope { call, connection };

  // 0 means no limit.
  explicit Budget(Scope scope, std::int64_t max_requests = 0, std::int64_t max_tokens = 0)
      : scope_(scope), max_requests_(max_requests), max_tokens_(max_tokens) {}
  void set_limits(std::int64_t max_requests, std::int64_t max_tokens) {
    max_requests_ = max_requests;
    max_tokens_ = max_tokens;
  }

  // Takes one request out of the budget. Error: limit_exceeded (which limit, the setting that raises it).
  Status take_request();
  // Counts tokens; the next take_request() fails once they are used up.
  void count_tokens(std::int64_t tokens) { tokens_ += tokens; }

 private:
  const Scope scope_;
  std::atomic<std::int64_t> max_requests_;
  std::atomic<std::int64_t> max_tokens_;
  std::atomic<std::int64_t> requests_ = 0;
  std::atomic<std::int64_t> tokens_ = 0;
};

// What one call of a SQL function hands down. The objects referred to outlive the request.
struct CallContext {
  // Asked at most every 50 ms in the thread that waits; once it is true the request ends with `interrupted`. May be
  // empty.
  std::function<bool()> stop;
  Budget* call_budget = nullptr;
  Budget* connection_budget = nullptr;
};

class ChatModel {
 public:
  virtual ~ChatModel() = default;

  // Asks and waits for the answer. Thread-safe: any number of threads may ask at once.
  // Errors: invalid_argument (the server rejected the request; its message, never the key), io (unreachable, timed out,
  // broken off, an answer that is none, after all retries), limit_exceeded (a budget or the response's size),
  // interrupted; in replay mode io for a request that the cache does not hold.
  virtual Result<ChatReply> complete(const ChatRequest& request, const CallContext& context) = 0;
};

}  // namespace trustsql::llm
