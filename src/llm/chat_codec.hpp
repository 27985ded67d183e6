// Chat completions as JSON (https://platform.openai.com/docs/api-reference/chat): requests to text, text to replies.
#pragma once

#include <string>
#include <string_view>

#include "llm/chat.hpp"
#include "llm/secrets.hpp"

namespace trustsql::llm {

struct ChatDialect {
  // OpenAI's newer models accept the token limit only under this name, other servers under `max_tokens`.
  bool max_completion_tokens = false;
};

// The body that requests `samples` choices of `request` (request.samples is ignored).
std::string encode_chat(const ChatRequest& request, int samples, const ChatDialect& dialect);

// Decodes a reply. Choices are ordered by their `index`. Secrets are removed from texts. `usage` has tokens only.
// Errors (io): not JSON, no choices, a choice without a message, an error under `error` (with its message).
Result<ChatReply> decode_chat(std::string_view body, const Secrets& secrets);

// A reply as JSON in the format of the endpoint, for the cache; decode_chat() reads it back.
std::string encode_reply(const ChatReply& reply);

}  // namespace trustsql::llm
