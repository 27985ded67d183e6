#include "llm/chat_codec.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "llm/json_text.hpp"

namespace trustsql::llm {

namespace {

using Json = nlohmann::json;

// Invalid UTF-8 may come from the user's database; it is replaced rather than rejected.
const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto value = object.find(key);
  return value != object.end() && !value->is_null() ? &*value : nullptr;
}

std::string text_member(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::int64_t count_member(const Json& object, const char* key) {
  const Json* value = member(object, key);
  if (value == nullptr || !value->is_number()) return 0;
  const double number = value->get<double>();
  return number > 0 && number < 1e15 ? static_cast<std::int64_t>(number) : 0;
}

// Some servers write -inf as null or as -9999.
double logprob_member(const Json& object) {
  constexpr double min_logprob = -9999;
  const Json* value = member(object, "logprob");
  const double logprob = value != nullptr && value->is_number() ? value->get<double>() : min_logprob;
  return std::isfinite(logprob) ? std::min(logprob, 0.0) : min_logprob;
}

// A message's content: a text, or the texts of a list of parts. A refusal counts as an answer, too.
std::optional<std::string> content_of(const Json& message) {
  const Json* content = member(message, "content");
  if (content == nullptr) return text_member(message, "refusal");
  if (content->is_string()) return content->get<std::string>();
  if (!content->is_array()) return std::nullopt;
  std::string text;
  for (const auto& part : *content) text += part.is_string() ? part.get<std::string>() : text_member(part, "text");
  return text;
}

std::vector<TokenLogprob> logprobs_of(const Json& choice, const Secrets& secrets) {
  std::vector<TokenLogprob> tokens;
  const Json* logprobs = member(choice, "logprobs");
  const Json* content = logprobs != nullptr ? member(*logprobs, "content") : nullptr;
  if (content == nullptr || !content->is_array()) return tokens;
  for (const auto& item : *content) {
    TokenLogprob token{secrets.scrub_reply(text_member(item, "token")), logprob_member(item), {}};
    if (const Json* top = member(item, "top_logprobs"); top != nullptr && top->is_array()) {
      for (const auto& other : *top)
        token.top.push_back({secrets.scrub_reply(text_member(other, "token")), logprob_member(other)});
      std::ranges::stable_sort(token.top, [](const auto& a, const auto& b) { return a.logprob > b.logprob; });
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

Result<Choice> decode_choice(const Json& item, const Secrets& secrets) {
  Choice choice;
  if (const Json* message = member(item, "message"); message != nullptr) {
    auto content = content_of(*message);
    if (!content) return io_error("the answer's message has a content that is not text");
    choice.text = secrets.scrub_reply(std::move(*content));
  } else if (const Json* text = member(item, "text"); text != nullptr && text->is_string()) {
    choice.text = secrets.scrub_reply(text->get<std::string>());
  } else {
    return io_error("the answer has a choice without a message");
  }
  choice.finish_reason = secrets.scrub_reply(text_member(item, "finish_reason"));
  choice.logprobs = logprobs_of(item, secrets);
  return choice;
}

}  // namespace

std::string encode_chat(const ChatRequest& request, int samples, const ChatDialect& dialect) {
  JsonWriter json;
  json.begin_object();
  if (!request.model.empty()) json.key("model").value(request.model);
  json.key("messages").begin_array();
  for (const auto& message : request.messages) {
    json.begin_object().key("role").value(role_name(message.role));
    json.key("content").value(message.text).end_object();
  }
  json.end_array().key("temperature").value(request.temperature);
  if (samples != 1) json.key("n").value(samples);
  if (request.seed) json.key("seed").value(*request.seed + request.repeat);
  if (request.max_tokens)
    json.key(dialect.max_completion_tokens ? "max_completion_tokens" : "max_tokens").value(*request.max_tokens);
  if (!request.stop.empty()) json.key("stop").value(request.stop);
  if (request.top_logprobs > 0) json.key("logprobs").value(true).key("top_logprobs").value(request.top_logprobs);
  return std::move(json.end_object()).text();
}

Result<ChatReply> decode_chat(std::string_view body, const Secrets& secrets) {
  std::string scratch;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto text, parsable_json(body, scratch));
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const JsonRelease release(json);
  if (json.is_discarded()) return not_json(secrets.scrub(std::string(text)));
  const Json* choices = member(json, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty()) {
    const Json* error = member(json, "error");
    if (error == nullptr)
      return io_error("the answer has no choices: " + quote_for_message(secrets.scrub(std::string(text))));
    const std::string message = error->is_string() ? error->get<std::string>() : text_member(*error, "message");
    return io_error("the answer is an error: " + quote_for_message(secrets.scrub(message)));
  }
  std::multimap<std::int64_t, Choice> placed;
  for (const auto& item : *choices) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto choice, decode_choice(item, secrets));
    placed.emplace(count_member(item, "index"), std::move(choice));
  }
  ChatReply reply;
  for (auto& [index, choice] : placed) reply.choices.push_back(std::move(choice));
  if (const Json* usage = member(json, "usage"); usage != nullptr) {
    reply.usage.prompt_tokens = count_member(*usage, "prompt_tokens");
    reply.usage.completion_tokens = count_member(*usage, "completion_tokens");
  }
  return reply;
}

std::string encode_reply(const ChatReply& reply) {
  JsonWriter json;
  json.begin_object().key("choices").begin_array();
  std::size_t index = 0;
  for (const auto& choice : reply.choices) {
    json.begin_object().key("index").value(index++).key("message").begin_object();
    json.key("role").value("assistant").key("content").value(choice.text).end_object();
    json.key("finish_reason").value(choice.finish_reason);
    if (!choice.logprobs.empty()) {
      json.key("logprobs").begin_object().key("content").begin_array();
      for (const auto& token : choice.logprobs) {
        json.begin_object().key("token").value(token.token).key("logprob").value(token.logprob);
        json.key("top_logprobs").begin_array();
        for (const auto& other : token.top)
          json.begin_object().key("token").value(other.token).key("logprob").value(other.logprob).end_object();
        json.end_array().end_object();
      }
      json.end_array().end_object();
    }
    json.end_object();
  }
  json.end_array().key("usage").begin_object().key("prompt_tokens").value(reply.usage.prompt_tokens);
  json.key("completion_tokens").value(reply.usage.completion_tokens).end_object().end_object();
  return std::move(json).text();
}

}  // namespace trustsql::llm
