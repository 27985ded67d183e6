#include "llm/endpoint.hpp"

#include <gtest/gtest.h>

namespace trustsql::llm {
namespace {

TEST(Endpoint, BaseUrlsInAllFormsLeadToTheService) {
  const std::pair<const char*, const char*> urls[] = {
      {"http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"},
      {"http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/chat/completions"},
      {"http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"},
      {"http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/chat/completions"},
      {"https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1/chat/completions"},
      {"https://api.openai.com:443", "https://api.openai.com/v1/chat/completions"},
      {"HTTPS://Api.OpenAI.com/v1/embeddings", "https://api.openai.com/v1/chat/completions"},
      {"https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"},
      {"http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"},
      {"https://x.openai.azure.com/openai/deployments/d?api-version=2024-06-01",
       "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-06-01"},
      {"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
       "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1"},
      {"  http://localhost:1 ", "http://localhost:1/v1/chat/completions"},
  };
  for (const auto& [text, url] : urls) {
    const auto endpoint = parse_endpoint(text, Service::chat);
    ASSERT_TRUE(endpoint.ok()) << text << ": " << endpoint.error().message;
    EXPECT_EQ(endpoint->url, url) << text;
  }
  EXPECT_EQ(parse_endpoint("https://api.openai.com/v1/chat/completions", Service::embeddings)->url,
            "https://api.openai.com/v1/embeddings");
}

TEST(Endpoint, KnowsThisMachineAndAzure) {
  const auto loopback = [](const char* url) { return parse_endpoint(url, Service::chat)->loopback; };
  EXPECT_TRUE(loopback("http://127.0.0.1"));
  EXPECT_TRUE(loopback("http://127.8.9.10:99/v1"));
  EXPECT_TRUE(loopback("http://LOCALHOST:8080"));
  EXPECT_TRUE(loopback("http://[::1]"));
  EXPECT_FALSE(loopback("http://127.0.0.1.example.com"));
  EXPECT_FALSE(loopback("http://localhost.example.com"));
  EXPECT_FALSE(loopback("http://127.1"));
  EXPECT_FALSE(loopback("http://127.0.0.256"));
  EXPECT_FALSE(loopback("http://10.0.0.1"));
  EXPECT_TRUE(parse_endpoint("https://x.openai.azure.com/openai/v1", Service::chat)->key_in_api_key);
  EXPECT_TRUE(parse_endpoint("http://127.0.0.1:1/openai/deployments/d?api-version=1", Service::chat)->key_in_api_key);
  EXPECT_FALSE(parse_endpoint("https://x.openai.azure.com.example.org/v1", Service::chat)->key_in_api_key);
}

TEST(Endpoint, RefusesWhatIsNoPlainUrlWithoutRepeatingIt) {
  for (const char* text :
       {"", "api.openai.com/v1", "ftp://host/v1", "file:///etc/passwd", "https://", "https://:443/v1",
        "https://user:hunter2@host/v1", "https://host:0/v1", "https://host:65536", "https://host:hunter2",
        "https://ho st/v1", "https://host/v1#hunter2", "https://host\\@evil/v1", "https://host/v1\r\nX: y",
        "https://[::1/v1", "https://[::1]x/v1", "https://host/a b", "https://x.openai.azure.com/openai/deployments/d",
        "https://h\xc3\xb6st/v1"}) {
    const auto endpoint = parse_endpoint(text, Service::chat);
    ASSERT_FALSE(endpoint.ok()) << text;
    EXPECT_EQ(endpoint.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(endpoint.error().message.find("hunter2"), std::string::npos) << endpoint.error().message;
  }
}

TEST(Endpoint, ThePublicAddressHasNoParameters) {
  const auto endpoint = parse_endpoint("https://host/v1?code=hunter2&api-version=3", Service::chat);
  EXPECT_EQ(endpoint->url, "https://host/v1/chat/completions?code=hunter2&api-version=3");
  EXPECT_EQ(endpoint->public_url, "https://host/v1/chat/completions");
  EXPECT_EQ(endpoint->origin, "https://host:443");
}

}  // namespace
}  // namespace trustsql::llm
