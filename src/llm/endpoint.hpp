// Where requests go: derives the URL of a service, and what may be sent there, from the base URL that a user sets.
//
//   http://127.0.0.1:11434                        -> http://127.0.0.1:11434/v1/chat/completions
//   https://openrouter.ai/api/v1                  -> https://openrouter.ai/api/v1/chat/completions
//   https://api.openai.com/v1/chat/completions    -> itself; for embeddings https://api.openai.com/v1/embeddings
//   https://x.openai.azure.com/openai/deployments/d?api-version=2024-06-01
//                       -> https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-06-01
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql::llm {

enum class Service { chat, embeddings };

struct Endpoint {
  std::string url;  // of the service
  // For messages and cache keys: without the query, which may contain a key.
  std::string public_url;
  std::string origin;  // scheme, host and port, to which a key belongs
  std::string host;    // in lower case, without brackets
  std::string query;   // after '?'; secret except for "api-version=..."
  bool tls = false;
  bool loopback = false;        // the local machine
  bool key_in_api_key = false;  // Azure: the key goes into the header `api-key`, not into `Authorization`
};

// Errors (invalid_argument): not an http or https URL, a URL with a user name or password or with invalid characters,
// or an Azure deployment without api-version. `text` itself is not in the message, since it may contain a key.
Result<Endpoint> parse_endpoint(std::string_view text, Service service);

}  // namespace trustsql::llm
