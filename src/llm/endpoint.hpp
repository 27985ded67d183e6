// Where requests go: from the base URL that a user writes to the URL of a service, and what may be sent there.
//
//   http://127.0.0.1:11434                        -> http://127.0.0.1:11434/v1/chat/completions
//   https://openrouter.ai/api/v1                  -> https://openrouter.ai/api/v1/chat/completions
//   https://api.openai.com/v1/chat/completions    -> itself; for embeddings https://api.openai.com/v1/embeddings
//   https://x.openai.azure.com/openai/deployments/d?api-version=2024-06-01
//                                                 ->
//                                                 https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=...
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql::llm {

enum class Service { chat, embeddings };

struct Endpoint {
  std::string url;  // of the service
  std::string
      public_url;      // for messages and the keys of the cache: without the query's parameters, which may hold a key
  std::string origin;  // scheme, host and port: what a key belongs to
  std::string host;    // in lower case, without brackets
  std::string query;   // behind '?'; secret except for "api-version=..."
  bool tls = false;
  bool loopback = false;        // this machine
  bool key_in_api_key = false;  // Azure: the key goes into the header `api-key`, not into `Authorization`
};

// Errors (invalid_argument): no http or https URL, one with a user name or password, with characters that no URL has,
// or an Azure deployment without api-version. `text` itself is not in the message, since it may hold a key.
Result<Endpoint> parse_endpoint(std::string_view text, Service service);

}  // namespace trustsql::llm
