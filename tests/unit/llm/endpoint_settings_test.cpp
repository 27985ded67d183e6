#include "llm/endpoint_settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trustsql::llm {
namespace {

Settings make(std::initializer_list<std::pair<const char*, const char*>> values) {
  auto settings = Settings::create([](std::string_view) { return std::nullopt; }).value();
  for (const auto& [key, value] : values) {
    const auto set = settings.set(key, ValueView::of_text(value));
    EXPECT_TRUE(set.ok()) << (set.ok() ? "" : set.error().message);
  }
  return settings;
}

bool has(const EndpointSettings& settings, std::string_view header) {
  return std::ranges::find(settings.headers, header) != settings.headers.end();
}

constexpr auto chat = Service::chat;
constexpr auto embeddings = Service::embeddings;

TEST(EndpointSettings, AKeyGoesToTheHostThatItWasSetFor) {
  const auto two_hosts =
      make({{"llm_url", "https://a.example/v1"}, {"llm_api_key", "key-of-a"}, {"embed_url", "https://b.example/v1"}});
  EXPECT_TRUE(has(*endpoint_settings(two_hosts, chat, std::nullopt), "Authorization: Bearer key-of-a"));
  EXPECT_TRUE(endpoint_settings(two_hosts, embeddings, std::nullopt)->headers.empty());

  const auto same = make(
      {{"llm_url", "https://a.example/v1"}, {"llm_api_key", "key-of-a"}, {"embed_url", "https://a.example/other/v1"}});
  EXPECT_TRUE(has(*endpoint_settings(same, embeddings, std::nullopt), "Authorization: Bearer key-of-a"));
  const auto other_port = make(
      {{"llm_url", "https://a.example/v1"}, {"llm_api_key", "key-of-a"}, {"embed_url", "https://a.example:8443/v1"}});
  EXPECT_TRUE(endpoint_settings(other_port, embeddings, std::nullopt)->headers.empty());

  const auto own = make({{"llm_url", "https://a.example/v1"},
                         {"llm_api_key", "key-of-a"},
                         {"embed_url", "https://b.example/v1"},
                         {"embed_api_key", "key-of-b"}});
  EXPECT_TRUE(has(*endpoint_settings(own, embeddings, std::nullopt), "Authorization: Bearer key-of-b"));
}

// A key set earlier belongs to the URL set earlier; after a change of scheme, host or port it is an error, which shows
// no more of a URL than its origin.
TEST(EndpointSettings, AKeyStaysWithItsServerWhenTheUrlChanges) {
  for (const char* url : {"https://b.example/v1", "https://a.example:8443/v1", "http://a.example/v1"}) {
    for (const char* setting : {"llm_api_key", "llm_headers"}) {
      const char* value = setting == std::string_view("llm_headers") ? R"({"X":"secret-of-a"})" : "secret-of-a";
      for (const auto& settings :
           {make({{"llm_allow_http", "1"},
                  {"llm_url", "https://a.example/v1?k=hidden"},
                  {setting, value},
                  {"llm_url", url}}),
            make({{"llm_allow_http", "1"}, {setting, value}, {"llm_url", "https://a.example/v1"}, {"llm_url", url}})}) {
        const auto refused = endpoint_settings(settings, chat, "sk-environment");
        ASSERT_FALSE(refused.ok()) << url;
        EXPECT_NE(refused.error().message.find(std::string(setting) + " was set for https://a.example:443"),
                  std::string::npos)
            << refused.error().message;
        EXPECT_EQ(refused.error().message.find("hidden"), std::string::npos);
      }
    }
  }
  const auto same =
      make({{"llm_url", "https://A.example/v1"}, {"llm_api_key", "k"}, {"llm_url", "HTTPS://a.example:443/other?x=1"}});
  EXPECT_TRUE(has(*endpoint_settings(same, chat, std::nullopt), "Authorization: Bearer k"));
  const auto again = make(
      {{"llm_url", "https://a.example"}, {"llm_api_key", "k"}, {"llm_url", "https://b.example"}, {"llm_api_key", "k"}});
  EXPECT_TRUE(has(*endpoint_settings(again, chat, std::nullopt), "Authorization: Bearer k"));
  const auto none = make(
      {{"llm_url", "https://a.example"}, {"llm_api_key", "k"}, {"llm_url", "https://b.example"}, {"llm_api_key", ""}});
  EXPECT_TRUE(endpoint_settings(none, chat, std::nullopt)->headers.empty());
  // An invalid URL has no origin.
  EXPECT_FALSE(
      endpoint_settings(make({{"llm_api_key", "k"}, {"llm_url", "a.example"}, {"llm_url", "https://a.example"}}), chat,
                        std::nullopt)
          .ok());
}

TEST(EndpointSettings, AKeyOfTheEnvironmentBelongsToItsUrl) {
  const auto environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "TRUSTSQL_LLM_API_KEY") return "k";
    return std::nullopt;
  };
  auto settings = Settings::create(environment).value();
  ASSERT_TRUE(settings.set("llm_url", ValueView::of_text("https://a.example")).ok());
  const auto refused = endpoint_settings(settings, chat, std::nullopt);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("comes from the environment"), std::string::npos);
  ASSERT_TRUE(settings.set("llm_api_key", ValueView::of_text("own")).ok());
  EXPECT_TRUE(has(*endpoint_settings(settings, chat, std::nullopt), "Authorization: Bearer own"));
  ASSERT_TRUE(settings.set("llm_api_key", ValueView::null()).ok());
  EXPECT_FALSE(endpoint_settings(settings, chat, std::nullopt).ok());
}

TEST(EndpointSettings, TheEnvironmentsKeyOfOpenAiGoesToOpenAiAlone) {
  const std::optional<std::string> key = "sk-environment";
  EXPECT_TRUE(has(*endpoint_settings(make({{"llm_url", "https://api.openai.com/v1"}}), chat, key),
                  "Authorization: Bearer sk-environment"));
  for (const char* url : {"http://127.0.0.1:11434", "https://api.openai.com.evil.example/v1",
                          "https://api.openai.com:8443/v1", "https://evil.example/api.openai.com"})
    EXPECT_TRUE(endpoint_settings(make({{"llm_url", url}}), chat, key)->headers.empty()) << url;
  const auto http = make({{"llm_url", "http://api.openai.com/v1"}, {"llm_allow_http", "1"}});
  EXPECT_TRUE(endpoint_settings(http, chat, key)->headers.empty());
  // And it enables nothing by itself.
  EXPECT_FALSE(endpoint_settings(make({}), chat, key).ok());
  EXPECT_FALSE(has_endpoint(make({}), chat));
}

TEST(EndpointSettings, AzureTakesTheKeyInAnotherHeader) {
  const auto azure =
      make({{"llm_url", "https://x.openai.azure.com/openai/deployments/d?api-version=1"}, {"llm_api_key", "abc"}});
  EXPECT_EQ(endpoint_settings(azure, chat, std::nullopt)->headers, std::vector<std::string>{"api-key: abc"});
}

TEST(EndpointSettings, PlainHttpBeyondThisMachineHasToBeAllowed) {
  const auto refused = endpoint_settings(make({{"llm_url", "http://a.example/v1"}}), chat, std::nullopt);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("llm_allow_http"), std::string::npos);
  EXPECT_TRUE(
      endpoint_settings(make({{"llm_url", "http://a.example/v1"}, {"llm_allow_http", "1"}}), chat, std::nullopt).ok());
  EXPECT_TRUE(endpoint_settings(make({{"llm_url", "http://127.0.0.1:1"}}), chat, std::nullopt).ok());
}

TEST(EndpointSettings, HeadersComeFromJsonAndCannotForgeOthers) {
  const auto settings = endpoint_settings(make({{"llm_url", "https://a.example"},
                                                {"llm_api_key", "abc"},
                                                {"llm_headers", R"({"X-Team":"data","authorization":"Basic eHl6"})"}}),
                                          chat, std::nullopt);
  EXPECT_TRUE(has(*settings, "X-Team: data"));
  EXPECT_TRUE(has(*settings, "authorization: Basic eHl6"));
  EXPECT_FALSE(has(*settings, "Authorization: Bearer abc"));
  for (const char* text : {"X-Team: data", "[]", R"({"X":1})", R"({"X y":"z"})", R"({"X":"a\r\nY: b"})",
                           R"({"Host":"evil"})", R"({"":"x"})"}) {
    const auto wrong =
        endpoint_settings(make({{"llm_url", "https://a.example"}, {"llm_headers", text}}), chat, std::nullopt);
    EXPECT_FALSE(wrong.ok()) << text;
  }
  EXPECT_FALSE(
      endpoint_settings(make({{"llm_url", "https://a.example"}, {"llm_api_key", "abc\r\nX: y"}}), chat, std::nullopt)
          .ok());
}

TEST(EndpointSettings, EmbeddingsHaveAServerOfTheirOwnOrThatOfTheModels) {
  EXPECT_FALSE(has_endpoint(make({{"llm_url", "https://a.example"}}), embeddings));
  const auto shared_server = make({{"llm_url", "https://a.example"}, {"embed_model", "e"}});
  ASSERT_TRUE(has_endpoint(shared_server, embeddings));
  EXPECT_EQ(endpoint_settings(shared_server, embeddings, std::nullopt)->endpoint.url,
            "https://a.example/v1/embeddings");
  EXPECT_TRUE(has_endpoint(make({{"embed_url", "https://b.example"}}), embeddings));
  EXPECT_FALSE(has_endpoint(make({{"embed_url", "https://b.example"}}), chat));
}

TEST(EndpointSettings, TheProxyIsNotAskedForThisMachine) {
  const auto proxied = [](const char* url) {
    return endpoint_settings(make({{"llm_url", url}, {"llm_proxy", "http://user:pass@proxy.example:3128"}}), chat,
                             std::nullopt)
        ->proxy;
  };
  EXPECT_EQ(proxied("http://localhost:11434"), "");
  EXPECT_EQ(proxied("https://a.example"), "http://user:pass@proxy.example:3128");
}

TEST(Secrets, AreMaskedInEveryForm) {
  Secrets secrets;
  secrets.add("sk/a+b\"c-12345");
  secrets.add_url("https://host/v1?code=hunter2-hunter2&api-version=2024");
  secrets.add("none");
  EXPECT_EQ(secrets.scrub("say sk/a+b\"c-12345!"), "say ********!");
  EXPECT_EQ(secrets.scrub("sk%2Fa%2Bb%22c-12345"), "********");
  EXPECT_EQ(secrets.scrub(R"(sk\/a+b\"c-12345)"), "********");
  EXPECT_EQ(secrets.scrub("hunter2-hunter2 in 2024"), "******** in 2024");
  // A placeholder may be a word of an answer.
  EXPECT_EQ(secrets.scrub("none"), "********");
  EXPECT_EQ(secrets.scrub_reply("there is none, hunter2-hunter2"), "there is none, ********");
}

}  // namespace
}  // namespace trustsql::llm
