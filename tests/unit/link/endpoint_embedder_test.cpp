#include "link/endpoint_embedder.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "endpoint/script.hpp"
#include "llm/endpoint_client.hpp"

namespace trustsql::link {
namespace {

using endpoint_testing::Script;
using endpoint_testing::ScriptedServer;
using endpoint_testing::SeenRequest;

std::shared_ptr<llm::EmbeddingClient> client(const std::string& url) {
  llm::EndpointSettings settings;
  settings.endpoint = llm::parse_endpoint(url, llm::Service::embeddings).value();
  settings.retry.retries = 0;
  auto endpoint = std::make_shared<llm::EndpointClient>(std::move(settings), std::make_shared<llm::HttpTransport>(4));
  return std::make_shared<llm::EmbeddingClient>(std::move(endpoint), nullptr, "m", 4);
}

TEST(EndpointEmbedder, VectorsAreOfUnitLengthAndBlankTextsAreNotSent) {
  Script script(R"({"rules":[{"contains":"refused","status":400,"body":{"error":"no"}},{"embed":true}]})");
  ScriptedServer server([&](const SeenRequest& request) { return script.answer(request); });
  EndpointEmbedder embedder(client(server.url()));
  EXPECT_EQ(embedder.name(), server.url() + "/v1/embeddings m");
  const std::vector<std::string> texts = {"one two three", " \n", "one two three one", ""};
  const auto vectors = embedder.embed(texts, {});
  ASSERT_TRUE(vectors.ok()) << vectors.error().message;
  ASSERT_EQ(vectors->size(), 4U);
  for (const std::size_t i : {0U, 2U}) {
    const auto& v = (*vectors)[i];
    EXPECT_NEAR(std::inner_product(v.begin(), v.end(), v.begin(), 0.0F), 1, 1e-5);
  }
  for (const std::size_t i : {1U, 3U}) EXPECT_EQ((*vectors)[i], Vector(8, 0.0F));
  EXPECT_EQ(server.requests().size(), 1U);

  EXPECT_EQ(*embedder.embed(std::vector<std::string>{""}, {}), std::vector<Vector>{Vector(8, 0.0F)});
  EXPECT_EQ(*EndpointEmbedder(client(server.url())).embed(std::vector<std::string>{""}, {}), std::vector<Vector>{{}});
  const auto refused = embedder.embed(std::vector<std::string>{"refused"}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace trustsql::link
