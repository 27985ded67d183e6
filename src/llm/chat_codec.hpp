// Chat completions as JSON (https://platform.openai.com/docs/api-reference/chat): requests to text, text to replies.
#pragma once

#include <string>
#include <string_view>

#include "llm/chat.hpp"
#include "llm/secrets.hpp"

namespace trustsql::llm {

struct ChatDialect {
  // The newer models of OpenAI take the limit of tokens under this name alone, other servers under `max_tokens`.
  bool max_completion_tokens = false;
};

// The body that asks for `samples` choices of `request` (whose own number does not matter), with `seed`.
std::string encode_chat(const ChatRequest& request, int samples, const ChatDialect& dialect);

// A reply. Of several choices each has its place by its `index`. Texts are scrubbed of secrets. `usage` has tokens
// only. Errors (io): no JSON, no choices, a choice without a message, an error under `error` (with its message).
Result<ChatReply> decode_chat(std::string_view body, const Secrets& secrets);

// A reply as JSON in the format of the endpoint, for the cache; decode_chat() reads it back.
std::string encode_reply(const ChatReply& reply);

}  // namespace trustsql::llm
