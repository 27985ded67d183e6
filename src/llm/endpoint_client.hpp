// EndpointClient: one endpoint, to which JSON is posted: with its key, its limits, with attempts after failures that
// may pass, and within the budgets of a call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/function_ref.hpp"
#include "llm/chat.hpp"
#include "llm/endpoint_settings.hpp"
#include "llm/http_transport.hpp"

namespace trustsql::llm {

// What a server answered in the end: success (2xx), or that it will not do this (4xx).
struct ServerAnswer {
  long status = 0;
  std::string body;  // of a success: read by the caller's `read` already
  // Of a refusal: what the server says, and which field of the request it says it of (often empty).
  std::string message;
  std::string field;

  bool ok() const { return status >= 200 && status < 300; }
};

// How long to wait before attempt number `attempt` (1: the first one again): twice as long each time, and by chance
// between half of that and all of it, so that those who failed together do not come back together. `chance` is in (0,
// 1).
std::chrono::milliseconds backoff(const RetryLimits& limits, int attempt, double chance);

class EndpointClient {
 public:
  EndpointClient(EndpointSettings settings, std::shared_ptr<HttpTransport> transport);

  const Endpoint& endpoint() const { return settings_.endpoint; }
  const Secrets& secrets() const { return settings_.secrets; }

  // Posts `body`. 408, 429, 5xx, connections that fail or break off, time-outs and successes that `read` cannot make
  // sense of are tried again, after Retry-After where the server says it. Thread-safe. `usage` counts requests and the
  // time. Errors: io (after the last attempt; a redirect; a wrong certificate), limit_exceeded (a budget, the answer's
  // length), interrupted. No message holds a secret.
  Result<ServerAnswer> post(const std::string& body, FunctionRef<Status(const std::string&)> read,
                            const CallContext& context, Usage& usage);

  // A refusal as an error (invalid_argument): address, status and what the server says.
  Error refusal(const ServerAnswer& answer) const;

 private:
  std::string describe(long status, const std::string& message) const;
  Status sleep(std::chrono::milliseconds duration, const CallContext& context) const;

  EndpointSettings settings_;
  std::shared_ptr<HttpTransport> transport_;
};

}  // namespace trustsql::llm
