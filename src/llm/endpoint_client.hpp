// EndpointClient: posts JSON to one endpoint, with its key and limits, with retries after transient failures, and
// within the budgets of a call.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/function_ref.hpp"
#include "llm/chat.hpp"
#include "llm/endpoint_settings.hpp"
#include "llm/http_transport.hpp"

namespace trustsql::llm {

// The final answer of a server: success (2xx) or refusal (4xx).
struct ServerAnswer {
  long status = 0;
  std::string body;  // for a success: already parsed by the caller's `read`
  // For a refusal: the server's message, and the field of the request that it is about (often empty).
  std::string message;
  std::string field;

  bool ok() const { return status >= 200 && status < 300; }
};

// How long to wait before retry number `attempt` (from 1): the wait doubles each time, and is randomly reduced to
// between half and all of that, so that clients that failed together do not retry together. `chance` is in (0, 1).
std::chrono::milliseconds backoff(const RetryLimits& limits, int attempt, double chance);

class EndpointClient {
 public:
  EndpointClient(EndpointSettings settings, std::shared_ptr<HttpTransport> transport);

  const Endpoint& endpoint() const { return settings_.endpoint; }
  const Secrets& secrets() const { return settings_.secrets; }

  // Posts `body`. Retries after 408, 429, 5xx, connections that fail or are lost (unless they are refused
  // and the server has never answered), time-outs and successes that `read` cannot parse, and honours the server's
  // Retry-After. Thread-safe. `usage` counts requests and the time. Errors: io (after the last attempt; a redirect; an
  // invalid certificate), limit_exceeded (a budget, the answer's length), interrupted. No message contains a secret.
  Result<ServerAnswer> post(const std::string& body, FunctionRef<Status(const std::string&)> read,
                            const RequestContext& context, Usage& usage);

  // A refusal as an error (invalid_argument): address, status and the server's message.
  Error refusal(const ServerAnswer& answer) const;

 private:
  std::string describe(long status, const std::string& message) const;
  Status sleep(std::chrono::milliseconds duration, const RequestContext& context) const;

  EndpointSettings settings_;
  std::shared_ptr<HttpTransport> transport_;
  std::atomic<bool> has_answered_ = false;  // the server, to any request
};

}  // namespace trustsql::llm
