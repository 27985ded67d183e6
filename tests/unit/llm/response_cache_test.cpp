// The cache in front of the clients: what is kept, what is replayed, and that no secret is in the file.

#include "llm/response_cache.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "endpoint/script.hpp"
#include "endpoint/scripted_server.hpp"
#include "llm/embedding_client.hpp"
#include "llm/endpoint_chat.hpp"
#include "llm/endpoint_client.hpp"

namespace trustsql::llm {
namespace {

using endpoint_testing::chat_body;
using endpoint_testing::ScriptedReply;
using endpoint_testing::ScriptedServer;
using endpoint_testing::SeenRequest;
using Mode = ResponseCache::Mode;

constexpr const char* api_key = "sk-very-secret-key";

class ResponseCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "trustsql-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<ResponseCache> cache(Mode mode = Mode::read_write) const {
    auto opened = ResponseCache::open(folder_ + "/cache.db", mode);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  static std::shared_ptr<EndpointClient> client(const std::string& url, Service service = Service::chat) {
    EndpointSettings settings;
    settings.endpoint = parse_endpoint(url, service).value();
    settings.headers = {std::string("Authorization: Bearer ") + api_key};
    settings.secrets.add(api_key);
    settings.retry.retries = 0;
    return std::make_shared<EndpointClient>(std::move(settings), std::make_shared<HttpTransport>(8));
  }
  static ChatRequest ask(const std::string& text, int samples = 1) {
    ChatRequest request;
    request.messages = {{Role::user, text}};
    request.samples = samples;
    return request;
  }

  std::string folder_;
};

TEST_F(ResponseCacheTest, AnAnswerIsAskedForOnceAndReplayedWithoutTheServer) {
  std::string url;
  {
    int count = 0;
    ScriptedServer server(
        [&](const SeenRequest&) { return ScriptedReply{.body = chat_body({"answer " + std::to_string(++count)})}; });
    url = server.url();
    EndpointChat chat(client(url), cache(), {});
    const auto first = chat.complete(ask("hi", 3), {});
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(first->usage.cached, 0);
    const auto again = chat.complete(ask("hi", 3), {});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->usage.cached, 1);
    EXPECT_EQ(again->usage.requests, 0);
    EXPECT_EQ(again->usage.completion_tokens, first->usage.completion_tokens);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again->choices[i].text, first->choices[i].text);
    EXPECT_EQ(server.requests().size(), 3U);

    // Any other request is a different question.
    ChatRequest warm = ask("hi", 3);
    warm.temperature = 1;
    ChatRequest repeated = ask("hi", 3);
    repeated.repeat = 1;
    for (const auto& request : {ask("ho", 3), ask("hi", 2), warm, repeated})
      EXPECT_EQ(chat.complete(request, {})->usage.cached, 0);
  }
  EndpointChat chat(client(url), cache(Mode::replay), {});
  EXPECT_EQ(chat.complete(ask("hi", 3), {})->choices.front().text, "answer 1");
  const auto lacking = chat.complete(ask("never asked"), {});
  ASSERT_FALSE(lacking.ok());
  EXPECT_EQ(lacking.error().code, ErrorCode::io);
  EXPECT_NE(lacking.error().message.find("never asked"), std::string::npos) << lacking.error().message;
  EXPECT_NE(lacking.error().message.find("replay"), std::string::npos);
}

TEST_F(ResponseCacheTest, FailuresAreNotKept) {
  int count = 0;
  ScriptedServer server([&](const SeenRequest&) {
    return ++count == 1 ? ScriptedReply{.status = 401, .body = R"({"error":"no"})"}
                        : ScriptedReply{.body = chat_body({"ok"})};
  });
  EndpointChat chat(client(server.url()), cache(), {});
  EXPECT_FALSE(chat.complete(ask("hi"), {}).ok());
  EXPECT_TRUE(chat.complete(ask("hi"), {}).ok());
}

TEST_F(ResponseCacheTest, NoSecretIsInTheFile) {
  ScriptedServer server([](const SeenRequest& request) {
    return ScriptedReply{.body =
                             chat_body({"you sent " + request.headers.at("authorization") + " to " + request.target})};
  });
  {
    EndpointSettings settings;
    settings.endpoint = parse_endpoint(server.url() + "/v1?code=hunter2-hunter2", Service::chat).value();
    settings.headers = {std::string("Authorization: Bearer ") + api_key};
    settings.secrets.add(api_key);
    settings.secrets.add_url(settings.endpoint.url);
    EndpointChat chat(std::make_shared<EndpointClient>(std::move(settings), std::make_shared<HttpTransport>(8)),
                      cache(), {});
    const auto reply = chat.complete(ask("hi"), {});
    ASSERT_TRUE(reply.ok()) << reply.error().message;
    EXPECT_EQ(reply->choices.front().text, "you sent Bearer ******** to /v1/chat/completions?code=********");
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    EXPECT_EQ(content.str().find("secret-key"), std::string::npos) << entry.path();
    EXPECT_EQ(content.str().find("hunter2"), std::string::npos) << entry.path();
    EXPECT_NE(content.str().find("you sent"), std::string::npos) << entry.path();
  }
}

TEST_F(ResponseCacheTest, EmbeddingsAreKeptTextByText) {
  endpoint_testing::Script script(R"({"rules":[{"path":"/v1/embeddings","embed":true}]})");
  ScriptedServer server([&](const SeenRequest& request) { return script.answer(request); });
  EmbeddingClient embeddings(client(server.url(), Service::embeddings), cache(), "m", 4);
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back("text " + std::to_string(i % 290));
  Usage usage;
  const auto first = embeddings.embed(texts, {}, &usage);
  ASSERT_TRUE(first.ok()) << first.error().message;
  ASSERT_EQ(first->size(), 300U);
  EXPECT_EQ((*first)[3], (*first)[293]);
  EXPECT_NE((*first)[3], (*first)[4]);
  EXPECT_EQ(usage.requests, 3);  // at most 128 texts each
  EXPECT_EQ(usage.cached, 0);

  Usage later;
  const auto again = embeddings.embed(std::vector<std::string>{"text 289", "new", "text 0"}, {}, &later);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)[0], (*first)[289]);
  EXPECT_EQ((*again)[2], (*first)[0]);
  EXPECT_EQ(later.cached, 2);
  EXPECT_EQ(later.requests, 1);
  EXPECT_TRUE(embeddings.embed({}, {}).ok());

  EmbeddingClient replayed(client(server.url(), Service::embeddings), cache(Mode::replay), "m", 4);
  EXPECT_EQ((*replayed.embed(std::vector<std::string>{"text 7"}, {}))[0], (*first)[7]);
  EXPECT_FALSE(replayed.embed(std::vector<std::string>{"never asked"}, {}).ok());
}

TEST_F(ResponseCacheTest, AnEmbeddingThatFailsIsAnError) {
  ScriptedServer server([](const SeenRequest& request) {
    if (request.body.find("text 200") != std::string::npos)
      return ScriptedReply{.status = 400, .body = R"({"error":"too long"})"};
    endpoint_testing::Script script(R"({"rules":[{"embed":true}]})");
    return script.answer(request);
  });
  EmbeddingClient embeddings(client(server.url(), Service::embeddings), nullptr, "m", 4);
  std::vector<std::string> texts;
  for (int i = 0; i < 600; ++i) texts.push_back("text " + std::to_string(i));
  const auto vectors = embeddings.embed(texts, {});
  ASSERT_FALSE(vectors.ok());
  EXPECT_NE(vectors.error().message.find("too long"), std::string::npos) << vectors.error().message;
}

}  // namespace
}  // namespace trustsql::llm
