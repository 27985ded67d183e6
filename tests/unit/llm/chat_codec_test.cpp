#include "llm/chat_codec.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trustsql::llm {
namespace {

using Json = nlohmann::json;

ChatRequest ask(std::string text) {
  ChatRequest request;
  request.model = "m";
  request.messages = {{Role::system, "be brief"}, {Role::user, std::move(text)}};
  return request;
}

std::string message_of(const Result<ChatReply>& reply) { return reply.ok() ? "no error" : reply.error().message; }

TEST(ChatCodec, WritesWhatIsAskedForAndNothingElse) {
  EXPECT_EQ(
      encode_chat(ask("hi"), 1, {}),
      R"({"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}],"temperature":0.0})");
  ChatRequest request = ask("hi");
  request.temperature = 0.5;
  request.seed = 7;
  request.repeat = 2;
  request.max_tokens = 100;
  request.stop = {";"};
  request.top_logprobs = 3;
  const auto json = Json::parse(encode_chat(request, 5, {}));
  EXPECT_EQ(json.at("n"), 5);
  EXPECT_EQ(json.at("seed"), 9);
  EXPECT_EQ(json.at("max_tokens"), 100);
  EXPECT_EQ(json.at("stop"), Json::array({";"}));
  EXPECT_EQ(json.at("logprobs"), true);
  EXPECT_EQ(json.at("top_logprobs"), 3);
  EXPECT_EQ(Json::parse(encode_chat(request, 5, {.max_completion_tokens = true})).at("max_completion_tokens"), 100);
  EXPECT_TRUE(Json::accept(encode_chat(ask("not \xff UTF-8"), 1, {})));
}

TEST(ChatCodec, ReadsTheFormsThatServersUse) {
  const auto text = [](const char* choice) {
    const auto reply = decode_chat(std::string(R"({"choices":[)") + choice + "]}", {});
    return reply.ok() ? reply->choices.front().text : "error: " + reply.error().message;
  };
  EXPECT_EQ(text(R"({"message":{"content":"a"}})"), "a");
  EXPECT_EQ(text(R"({"message":{"content":null}})"), "");
  EXPECT_EQ(text(R"({"message":{"content":null,"refusal":"no"}})"), "no");
  EXPECT_EQ(text(R"({"message":{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}})"),
            "ab");
  EXPECT_EQ(text(R"({"text":"a"})"), "a");
  EXPECT_EQ(text(R"({"message":{"content":"a\u0000b"}})"), std::string("a\0b", 3));
}

TEST(ChatCodec, PutsChoicesByTheirIndex) {
  const auto reply = decode_chat(
      R"({"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"length"},{"index":0,"message":{"content":"a"}}],
          "usage":{"prompt_tokens":3,"completion_tokens":4}})",
      {});
  ASSERT_TRUE(reply.ok());
  ASSERT_EQ(reply->choices.size(), 2U);
  EXPECT_EQ(reply->choices[0].text, "a");
  EXPECT_EQ(reply->choices[1].text, "b");
  EXPECT_EQ(reply->choices[1].finish_reason, "length");
  EXPECT_EQ(reply->usage.prompt_tokens, 3);
  EXPECT_EQ(reply->usage.completion_tokens, 4);
}

TEST(ChatCodec, ReadsLogprobs) {
  const auto reply = decode_chat(R"({"choices":[{"message":{"content":"yes"},"logprobs":{"content":[
      {"token":"yes","logprob":-0.25,"top_logprobs":[{"token":"no","logprob":-2.5},{"token":"yes","logprob":-0.25}]},
      {"token":"!","logprob":null,"top_logprobs":null}]}}]})",
                                 {});
  ASSERT_TRUE(reply.ok());
  const auto& tokens = reply->choices.front().logprobs;
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].logprob, -0.25);
  ASSERT_EQ(tokens[0].top.size(), 2U);
  EXPECT_EQ(tokens[0].top[0].token, "yes");  // by descending probability
  EXPECT_LT(tokens[1].logprob, -1000);
  EXPECT_TRUE(tokens[1].top.empty());
}

TEST(ChatCodec, WhatIsNoAnswerIsAnError) {
  for (const char* body : {"", "  ", "<html>", "{", "null", "[]", "42", "{}", R"({"choices":[]})", R"({"choices":{}})",
                           R"({"choices":[1]})", R"({"choices":[{}]})", R"({"choices":[{"message":{"content":7}}]})",
                           R"({"choices":[{"message":{"content":"a"}}]} x)"}) {
    const auto reply = decode_chat(body, {});
    ASSERT_FALSE(reply.ok()) << body;
    EXPECT_EQ(reply.error().code, ErrorCode::io) << body;
  }
  EXPECT_NE(message_of(decode_chat(R"({"error":{"message":"model is loading"}})", {})).find("model is loading"),
            std::string::npos);
}

TEST(ChatCodec, DeepNestingIsRefusedAndBrokenUtf8IsReplaced) {
  const std::string deep(1'000'000, '[');
  EXPECT_NE(message_of(decode_chat(deep, {})).find("nested too deep"), std::string::npos);
  const auto reply = decode_chat("{\"choices\":[{\"message\":{\"content\":\"a\xff\xe4\xb8z\"}}]}", {});
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->choices.front().text, "a\ufffd\ufffdz");
}

TEST(ChatCodec, SecretsAreMaskedInAnswersAndErrors) {
  Secrets secrets;
  secrets.add("sk-very-secret-key");
  const auto reply =
      decode_chat(R"({"choices":[{"message":{"content":"your key is sk-very\u002dsecret-key"}}]})", secrets);
  EXPECT_EQ(reply->choices.front().text, "your key is ********");
  EXPECT_EQ(message_of(decode_chat("<p>sk-very-secret-key", secrets)).find("sk-very"), std::string::npos);
  // Not even if a message is cut in the middle of one.
  EXPECT_EQ(message_of(decode_chat(std::string(190, 'x') + "sk-very-secret-key", secrets)).find("sk-v"),
            std::string::npos);
  EXPECT_EQ(message_of(decode_chat(R"({"error":"bad sk-very-secret-key"})", secrets)).find("sk-very"),
            std::string::npos);
}

TEST(ChatCodec, WhatTheCacheKeepsReadsBackTheSame) {
  ChatReply reply;
  reply.choices = {{"a \xf0\x9f\x98\x80", "stop", {{"a", -0.5, {{"a", -0.5}, {"b", -1.5}}}}}, {"", "length", {}}};
  reply.usage.prompt_tokens = 3;
  reply.usage.completion_tokens = 2;
  const auto back = decode_chat(encode_reply(reply), {});
  ASSERT_TRUE(back.ok()) << back.error().message;
  ASSERT_EQ(back->choices.size(), 2U);
  EXPECT_EQ(back->choices[0].text, reply.choices[0].text);
  EXPECT_EQ(back->choices[0].logprobs[0].top[1].logprob, -1.5);
  EXPECT_EQ(back->choices[1].finish_reason, "length");
  EXPECT_EQ(back->usage.prompt_tokens, 3);
  EXPECT_EQ(encode_reply(*back), encode_reply(reply));
}

}  // namespace
}  // namespace trustsql::llm
