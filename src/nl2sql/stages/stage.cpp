#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

Result<std::vector<llm::Choice>> StageContext::ask(const llm::ChatRequest& request) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto reply, chat.complete(request, call));
  usage += reply.usage;
  if (reply.choices.empty()) return internal_error("the model's reply has no choice");
  return std::move(reply.choices);
}

std::string conversation_text(const std::vector<llm::Message>& messages) {
  std::string text;
  for (const auto& message : messages) {
    if (!text.empty()) text += "\n\n";
    text += "[";
    text += llm::role_name(message.role);
    text += "]\n";
    text += message.text;
  }
  return text;
}

}  // namespace trustsql::nl2sql
