#include "llm/chat.hpp"

namespace trustsql::llm {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::system: return "system";
    case Role::user: return "user";
    case Role::assistant: return "assistant";
  }
  return "";
}

Usage& Usage::operator+=(const Usage& other) {
  requests += other.requests;
  cached += other.cached;
  prompt_tokens += other.prompt_tokens;
  completion_tokens += other.completion_tokens;
  waited_ms += other.waited_ms;
  return *this;
}

Status Budget::take_request() {
  const std::string scope = scope_ == Scope::call ? "call" : "connection";
  if (const auto limit = max_tokens_.load(); limit > 0 && tokens_ >= limit) {
    return limit_exceeded("the budget of " + std::to_string(limit) + " tokens for this " + scope +
                          " is used up (setting llm_" + scope + "_tokens)");
  }
  const auto limit = max_requests_.load();
  if (++requests_ > limit && limit > 0) {
    return limit_exceeded("the budget of " + std::to_string(limit) + " requests for this " + scope +
                          " is used up (setting llm_" + scope + "_requests)");
  }
  return ok_status();
}

}  // namespace trustsql::llm
