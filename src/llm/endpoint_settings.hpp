// The endpoints that the settings of a connection define.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/setting_specs.hpp"
#include "base/settings.hpp"
#include "llm/endpoint.hpp"
#include "llm/secrets.hpp"

namespace trustsql::llm {

// Time limits for the parts of one attempt, and the maximum size of its answer.
struct TransferLimits {
  std::chrono::milliseconds connect{default_integer(Setting::llm_connect_timeout_ms)};
  std::chrono::milliseconds total{default_integer(Setting::llm_timeout_ms)};
  // Without receiving a byte, once the answer has begun.
  std::chrono::milliseconds stall{default_integer(Setting::llm_stall_timeout_ms)};
  std::size_t max_response_bytes = default_integer<std::size_t>(Setting::llm_max_response_bytes);
};

struct RetryLimits {
  int retries = default_integer<int>(Setting::llm_retries);  // after the first attempt
  std::chrono::milliseconds first_wait{500};
  std::chrono::milliseconds longest_wait{default_integer(Setting::llm_retry_wait_ms)};
};

struct EndpointSettings {
  Endpoint endpoint;
  std::vector<std::string> headers;  // "Name: value", including the key's
  std::string proxy;                 // URL; empty: none
  std::string ca_file;               // empty: the system's certificates
  TransferLimits limits;
  RetryLimits retry;
  Secrets secrets;
};

// The endpoint of `service`. `openai_key` is the environment's OPENAI_API_KEY, which is sent to https://api.openai.com
// only. A key or header is sent only to the origin of the URL that it was set for (Settings::url_of()). Errors
// (invalid_argument): no URL is set, the URL is invalid, a key or headers were set for another server, http to another
// machine without llm_allow_http, a key with characters that are not allowed in headers, llm_headers is not a JSON
// object of texts; (io): llm_ca_file cannot be read.
Result<EndpointSettings> endpoint_settings(const Settings& settings, Service service,
                                           const std::optional<std::string>& openai_key);

// Whether a server is configured for `service`: by llm_url; for embeddings by embed_url, or by embed_model in addition
// to llm_url.
bool has_endpoint(const Settings& settings, Service service);

}  // namespace trustsql::llm
