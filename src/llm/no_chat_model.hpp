// NoChatModel: in the place of a language model where none is asked.
#pragma once

#include "llm/chat.hpp"

namespace trustsql::llm {

class NoChatModel final : public ChatModel {
 public:
  Result<ChatReply> complete(const ChatRequest&, const RequestContext&) override {
    return internal_error("a language model was asked by a method that has none");
  }
};

}  // namespace trustsql::llm
