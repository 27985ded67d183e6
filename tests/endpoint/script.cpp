#include "endpoint/script.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

namespace endpoint_testing {

namespace {

using Json = nlohmann::json;

std::vector<std::string> texts_of(const Json& json) {
  if (json.is_string()) return {json.get<std::string>()};
  return json.get<std::vector<std::string>>();
}

struct Rule {
  explicit Rule(const Json& json) : answer(json) {
    static const std::set<std::string> known = {
        "path", "model",    "contains", "times",   "content",  "finish_reason", "logprobs", "ignore_n",  "embed",
        "body", "body_hex", "status",   "headers", "delay_ms", "drip_ms",       "endless",  "cut_after", "hang_after"};
    for (const auto& [key, value] : json.items())
      if (known.count(key) == 0) throw std::runtime_error("a rule has an unknown key '" + key + "'");
    if (json.contains("path")) path = json.at("path").get<std::string>();
    if (json.contains("model")) model = json.at("model").get<std::string>();
    if (json.contains("contains")) contains = texts_of(json.at("contains"));
    if (json.contains("times")) left = json.at("times").get<int>();
    if (json.contains("content")) contents = texts_of(json.at("content"));
  }

  std::optional<std::string> path;
  std::optional<std::string> model;
  std::vector<std::string> contains;
  std::optional<int> left;
  std::vector<std::string> contents;
  std::size_t next_content = 0;
  Json answer;
};

// All texts of a request.
std::string words_of(const Json& request) {
  std::string words;
  if (!request.is_object()) return words;
  if (request.contains("messages"))
    for (const auto& message : request.at("messages")) words += message.value("content", "") + "\n";
  if (request.contains("input"))
    for (const auto& text : texts_of(request.at("input"))) words += text + "\n";
  return words;
}

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string chat_answer(Rule& rule, const Json& request) {
  Json json;
  auto& choices = json["choices"] = Json::array();
  const int wanted = rule.answer.value("ignore_n", false) ? 1 : request.value("n", 1);
  for (int i = 0; i < wanted; ++i) {
    const std::size_t turn = rule.next_content++ % rule.contents.size();
    Json choice = {{"index", i},
                   {"message", {{"role", "assistant"}, {"content", rule.contents[turn]}}},
                   {"finish_reason", rule.answer.value("finish_reason", "stop")}};
    if (rule.answer.contains("logprobs") && request.value("logprobs", false)) {
      auto& content = choice["logprobs"]["content"] = Json::array();
      for (const auto& logprob : rule.answer.at("logprobs").at(turn % rule.answer.at("logprobs").size()))
        content.push_back(
            {{"token", "t"}, {"logprob", logprob}, {"top_logprobs", {{{"token", "t"}, {"logprob", logprob}}}}});
    }
    choices.push_back(std::move(choice));
  }
  // A token counts as four bytes.
  std::size_t completion = 0;
  for (const auto& choice : choices) completion += choice["message"]["content"].get<std::string>().size() / 4 + 1;
  json["usage"] = {{"prompt_tokens", words_of(request).size() / 4 + 1}, {"completion_tokens", completion}};
  return json.dump();
}

std::string embedding_answer(const Json& request, std::size_t size) {
  Json json;
  auto& data = json["data"] = Json::array();
  const auto inputs = texts_of(request.at("input"));
  for (const auto& text : inputs) {
    std::vector<double> vector(size, 0.0);
    std::uint32_t hash = 2166136261U;
    for (const char c : text + " ") {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (letter) {
        hash = (hash ^ static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c)) * 16777619U;
      } else if (hash != 2166136261U) {
        vector[hash % vector.size()] += (hash & 0x10000U) != 0 ? 1 : -1;
        hash = 2166136261U;
      }
    }
    data.push_back({{"index", data.size()}, {"embedding", vector}});
  }
  json["usage"] = {{"prompt_tokens", inputs.size()}};
  return json.dump();
}

}  // namespace

struct Script::Impl {
  std::mutex mutex;
  std::vector<Rule> rules;
};

Script::Script(const std::string& text) : impl_(std::make_unique<Impl>()) {
  try {
    const Json json = Json::parse(text);
    for (const auto& rule : json.at("rules")) impl_->rules.emplace_back(rule);
  } catch (const Json::exception& error) {
    throw std::runtime_error(std::string("the script of the server is wrong: ") + error.what());
  }
}

Script::~Script() = default;

ScriptedReply Script::answer(const SeenRequest& request) {
  const std::lock_guard lock(impl_->mutex);
  const Json asked = Json::parse(request.body, nullptr, false);
  const std::string words = words_of(asked);
  for (auto& rule : impl_->rules) {
    if (rule.left && *rule.left == 0) continue;
    if (rule.path && *rule.path != request.path) continue;
    if (rule.model && (!asked.is_object() || asked.value("model", "") != *rule.model)) continue;
    if (!std::ranges::all_of(rule.contains, [&](const auto& text) { return words.find(text) != std::string::npos; }))
      continue;
    if (rule.left) --*rule.left;

    const Json& json = rule.answer;
    ScriptedReply reply;
    reply.status = json.value("status", 200);
    if (!rule.contents.empty()) reply.body = chat_answer(rule, asked);
    if (json.contains("embed"))
      reply.body = embedding_answer(asked, json.at("embed").is_number() ? json.at("embed").get<std::size_t>() : 8);
    if (json.contains("body"))
      reply.body = json.at("body").is_string() ? json.at("body").get<std::string>() : json.at("body").dump();
    if (json.contains("body_hex")) reply.body = from_hex(json.at("body_hex").get<std::string>());
    if (json.contains("headers"))
      for (const auto& [name, value] : json.at("headers").items())
        reply.headers.emplace_back(name, value.get<std::string>());
    reply.delay_ms = json.value("delay_ms", 0);
    reply.drip_ms = json.value("drip_ms", 0);
    reply.endless = json.value("endless", false);
    if (json.contains("cut_after")) reply.cut_after = json.at("cut_after").get<std::size_t>();
    if (json.contains("hang_after")) reply.hang_after = json.at("hang_after").get<std::size_t>();
    return reply;
  }
  return {.status = 400, .body = R"({"error":{"message":"no rule of the script answers this"}})"};
}

}  // namespace endpoint_testing
