// Chat completions: requests to a language model and its replies, independent of the server.
//
// The structure is that of the OpenAI API's chat completions, which Ollama, llama.cpp, vLLM and others support as well.
//
//   ChatModel    answers requests; the one that reaches the network is the endpoint client
//   RequestContext  what one call of a SQL function passes with every request: how to stop it, and its budgets
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
  int samples = 1;  // "n"; servers that ignore it are asked again until there are enough samples
  std::optional<std::int64_t> seed;
  std::optional<int> max_tokens;
  std::vector<std::string> stop;
  int top_logprobs = 0;  // how many alternatives of each token to request; 0: no log-probabilities at all
  // The number of earlier identical requests: increment it to get another answer to the same question, since the cache
  // would otherwise return the old one. It is not sent, but added to the seed.
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
  std::vector<TokenAlternative> top;  // by decreasing probability; may be shorter than requested
};

struct Choice {
  std::string text;                    // UTF-8; may be empty
  std::string finish_reason;           // "stop", "length", ... from the server; may be empty
  std::vector<TokenLogprob> logprobs;  // empty if the server returns none
};

struct Usage {
  std::int64_t requests = 0;       // requests sent over the network, including retries
  std::int64_t cached = 0;         // requests answered by the cache
  std::int64_t prompt_tokens = 0;  // as counted by the server; for cached answers, their original cost
  std::int64_t completion_tokens = 0;
  double waited_ms = 0;

  Usage& operator+=(const Usage& other);
};

struct ChatReply {
  std::vector<Choice> choices;  // as many as requested samples; never empty
  Usage usage;
};

// The budget of requests and tokens of one function call or of a connection. Thread-safe.
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

  // Takes one request out of the budget. Error: limit_exceeded (which limit, and the setting that raises it).
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

// What one call of a SQL function passes with its requests. The referenced objects must outlive the request.
struct RequestContext {
  // Called at most every 50 ms in the waiting thread; once it returns true the request ends with `interrupted`. May be
  // empty.
  std::function<bool()> stop;
  Budget* call_budget = nullptr;
  Budget* connection_budget = nullptr;
  bool may_use_threads = true;  // false: requests are sent one after the other, in the caller's thread
};

class ChatModel {
 public:
  virtual ~ChatModel() = default;

  // Sends the request and waits for the answer. Thread-safe: any number of threads may call it at once. Errors:
  // invalid_argument (the server rejected the request; contains its message, never the key), io (after all retries:
  // unreachable, timed out, connection lost, invalid answer), limit_exceeded (a budget or the response's size),
  // interrupted; in replay mode io for a request that the cache does not contain.
  virtual Result<ChatReply> complete(const ChatRequest& request, const RequestContext& context) = 0;
};

}  // namespace trustsql::llm
