// What the settings of a connection say about its endpoints.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "llm/endpoint.hpp"
#include "llm/secrets.hpp"

namespace trustsql::llm {

// How long the parts of one attempt may take, and how large its answer may be.
struct TransferLimits {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds total{120'000};
  std::chrono::milliseconds stall{30'000};  // without a byte, once the answer has begun
  std::size_t max_response_bytes = std::size_t{16} << 20;
};

struct RetryLimits {
  int retries = 4;  // after the first attempt
  std::chrono::milliseconds first_wait{500};
  std::chrono::milliseconds longest_wait{60'000};
};

struct EndpointSettings {
  Endpoint endpoint;
  std::vector<std::string> headers;  // "Name: value", the key's among them
  std::string proxy;                 // URL; empty: none
  std::string ca_file;               // empty: the system's
  TransferLimits limits;
  RetryLimits retry;
  Secrets secrets;
};

// Of `service`. `openai_key` is the environment's OPENAI_API_KEY, which goes to https://api.openai.com alone. A key or
// header goes to the origin of the URL that it was set for (Settings::url_of()) and no other.
// Errors (invalid_argument): no URL is set, a wrong one, a key or headers that were set for another server, http beyond
// this machine without llm_allow_http, a key with characters that no header has, llm_headers that is no JSON object of
// texts; (io): llm_ca_file cannot be read.
Result<EndpointSettings> endpoint_settings(const Settings& settings, Service service,
                                           const std::optional<std::string>& openai_key);

// Whether a server is set for `service`: llm_url; embed_url, or embed_model beside llm_url.
bool has_endpoint(const Settings& settings, Service service);

}  // namespace trustsql::llm
