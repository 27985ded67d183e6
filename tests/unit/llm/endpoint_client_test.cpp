// The client against servers on loopback, well-behaved and misbehaving ones.

#include "llm/endpoint_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "endpoint/scripted_server.hpp"
#include "llm/chat_codec.hpp"
#include "llm/endpoint_chat.hpp"

namespace trustsql::llm {
namespace {

using endpoint_testing::chat_body;
using endpoint_testing::ScriptedReply;
using endpoint_testing::ScriptedServer;
using endpoint_testing::SeenRequest;
using endpoint_testing::TlsFiles;
using std::chrono::milliseconds;

constexpr const char* key = "sk-very-secret-key";

struct Limits {
  TransferLimits transfer = {milliseconds(5000), milliseconds(5000), milliseconds(5000), std::size_t{1} << 20};
  RetryLimits retry = {2, milliseconds(1), milliseconds(3000)};
};

EndpointSettings settings_for(const std::string& url, const Limits& limits = {}) {
  EndpointSettings settings;
  auto endpoint = parse_endpoint(url, Service::chat);
  EXPECT_TRUE(endpoint.ok()) << url;
  if (endpoint.ok()) settings.endpoint = std::move(endpoint).value();
  settings.headers = {std::string("Authorization: Bearer ") + key};
  settings.secrets.add(key);
  settings.limits = limits.transfer;
  settings.retry = limits.retry;
  return settings;
}

std::shared_ptr<EndpointClient> client_for(const std::string& url, const Limits& limits = {},
                                           std::size_t concurrency = 16) {
  return std::make_shared<EndpointClient>(settings_for(url, limits), std::make_shared<HttpTransport>(concurrency));
}

ChatRequest request_of(const std::string& text, int samples = 1) {
  ChatRequest request;
  request.messages = {{Role::user, text}};
  request.samples = samples;
  return request;
}

Result<ChatReply> complete(const std::shared_ptr<EndpointClient>& client, const ChatRequest& request = request_of("hi"),
                           const RequestContext& context = {}) {
  return EndpointChat(client, nullptr, {}).complete(request, context);
}

// The error with which `reply` ends; "" if it succeeds. No error may hold the key.
std::string error_message(const Result<ChatReply>& reply) {
  if (reply.ok()) return "";
  EXPECT_EQ(reply.error().message.find(key), std::string::npos) << reply.error().message;
  return reply.error().message;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(EndpointClient, SendsAKeyedRequestAndReadsTheAnswer) {
  ScriptedServer server([](const SeenRequest&) { return ScriptedReply{.body = chat_body({"SELECT 1"})}; });
  const auto reply = complete(client_for(server.url()));
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->choices.front().text, "SELECT 1");
  EXPECT_EQ(reply->usage.requests, 1);
  EXPECT_EQ(reply->usage.prompt_tokens, 10);
  EXPECT_GT(reply->usage.waited_ms, 0);
  const auto seen = server.requests();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].target, "/v1/chat/completions");
  EXPECT_EQ(seen[0].headers.at("authorization"), std::string("Bearer ") + key);
  EXPECT_EQ(seen[0].headers.at("content-type"), "application/json");
  EXPECT_FALSE(seen[0].has_header("expect"));
  EXPECT_EQ(seen[0].body, encode_chat(request_of("hi"), 1, {}));
}

TEST(EndpointClient, RefusalsAreReportedAtOnceWithTheServersMessageAndWithoutTheKey) {
  for (const int status : {400, 401, 403, 404, 413, 422}) {
    ScriptedServer server([&](const SeenRequest& request) {
      return ScriptedReply{.status = status,
                           .body = R"({"error":{"message":"wrong: )" + request.headers.at("authorization") +
                                   R"( \u0073k-very-secret-key, model gpt-9"}})"};
    });
    const auto reply = complete(client_for(server.url()));
    const auto message = error_message(reply);
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code, ErrorCode::invalid_argument) << status;
    EXPECT_TRUE(contains(message, "answered " + std::to_string(status))) << message;
    EXPECT_TRUE(contains(message, "model gpt-9")) << message;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST(EndpointClient, ErrorsAreReadInTheFormsThatServersUse) {
  const std::pair<const char*, const char*> forms[] = {{R"({"error":"model not found"})", "model not found"},
                                                       {R"({"message":"model not found"})", "model not found"},
                                                       {R"({"detail":"model not found"})", "model not found"},
                                                       {"model not found", "model not found"},
                                                       {"", "answered 404"},
                                                       {"\xff\xfe", "answered 404"},
                                                       {"[[[[", "[[[["}};
  for (const auto& [body, expected] : forms) {
    ScriptedServer server([body = body](const SeenRequest&) { return ScriptedReply{.status = 404, .body = body}; });
    const auto message = error_message(complete(client_for(server.url())));
    EXPECT_TRUE(contains(message, expected)) << message;
  }
}

TEST(EndpointClient, WhatMayPassIsTriedAgain) {
  for (const int status : {408, 429, 500, 502, 503, 529}) {
    std::atomic<int> count = 0;
    ScriptedServer server([&](const SeenRequest&) {
      return ++count < 3 ? ScriptedReply{.status = status, .body = R"({"error":{"message":"busy"}})"}
                         : ScriptedReply{.body = chat_body({"ok"})};
    });
    const auto reply = complete(client_for(server.url()));
    ASSERT_TRUE(reply.ok()) << reply.error().message;
    EXPECT_EQ(reply->usage.requests, 3);
    EXPECT_EQ(count, 3);
  }
}

TEST(EndpointClient, GivesUpAfterItsAttempts) {
  ScriptedServer server(
      [&](const SeenRequest&) { return ScriptedReply{.status = 503, .body = std::string("overloaded ").append(key)}; });
  const auto reply = complete(client_for(server.url()));
  const auto message = error_message(reply);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::io);
  EXPECT_TRUE(contains(message, "503") && contains(message, "overloaded") && contains(message, "after 3 attempts"))
      << message;
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST(EndpointClient, WaitsAsLongAsTheServerAsks) {
  const auto first_wait = [](const std::string& retry_after) {
    std::atomic<int> count = 0;
    ScriptedServer server([&](const SeenRequest&) {
      if (++count == 1) return ScriptedReply{.status = 429, .body = "{}", .headers = {{"Retry-After", retry_after}}};
      return ScriptedReply{.body = chat_body({"ok"})};
    });
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(complete(client_for(server.url())).ok());
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_GE(first_wait("1"), milliseconds(1000));
  // A date, two seconds from now or, since dates have whole seconds, a little less.
  const std::time_t retry_time = std::time(nullptr) + 2;
  char date[64];
  std::tm parts{};
  gmtime_r(&retry_time, &parts);
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  EXPECT_GE(first_wait(date), milliseconds(900));
}

TEST(EndpointClient, DoesNotWaitForever) {
  ScriptedServer server([&](const SeenRequest&) {
    return ScriptedReply{.status = 429, .body = "{}", .headers = {{"Retry-After", "86400"}}};
  });
  const auto message = error_message(complete(client_for(server.url())));
  EXPECT_TRUE(contains(message, "asks to wait 86400 s") && contains(message, "llm_retry_wait_ms")) << message;
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(EndpointClient, AnswersThatAreNoneAreTriedAgainAndThenAnError) {
  for (const char* body : {"", "not JSON", "{\"choices\":", "{\"choices\":[]}", "[]", "\xff\xfe\xfd"}) {
    ScriptedServer server([body](const SeenRequest&) { return ScriptedReply{.body = body}; });
    const auto reply = complete(client_for(server.url()));
    ASSERT_FALSE(reply.ok()) << body;
    EXPECT_EQ(reply.error().code, ErrorCode::io);
    EXPECT_TRUE(contains(error_message(reply), "after 3 attempts")) << reply.error().message;
    EXPECT_EQ(server.requests().size(), 3U);
  }
}

TEST(EndpointClient, AConnectionThatBreaksOffIsTriedAgain) {
  std::atomic<int> count = 0;
  ScriptedServer server([&](const SeenRequest&) {
    ScriptedReply reply{.body = chat_body({"ok"})};
    if (++count < 3) reply.cut_after = count == 1 ? 0 : 20;
    return reply;
  });
  const auto reply = complete(client_for(server.url()));
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->choices.front().text, "ok");
}

TEST(EndpointClient, SlowServersMeetTheTimeouts) {
  Limits limits;
  limits.transfer.total = milliseconds(300);
  limits.retry.retries = 1;
  {
    ScriptedServer server(
        [](const SeenRequest&) { return ScriptedReply{.body = chat_body({"late"}), .delay_ms = 5000}; });
    const auto message = error_message(complete(client_for(server.url(), limits)));
    EXPECT_TRUE(contains(message, "timed out") || contains(message, "Timeout")) << message;
    EXPECT_EQ(server.requests().size(), 2U);
  }
  {  // a byte from time to time
    ScriptedServer server(
        [](const SeenRequest&) { return ScriptedReply{.body = chat_body({"drop by drop"}), .drip_ms = 100}; });
    const auto message = error_message(complete(client_for(server.url(), limits)));
    EXPECT_TRUE(contains(message, "timed out") || contains(message, "Timeout")) << message;
  }
  limits.transfer.total = milliseconds(60'000);
  limits.transfer.stall = milliseconds(200);
  {  // silence in the middle
    ScriptedServer server(
        [](const SeenRequest&) { return ScriptedReply{.body = chat_body({"never"}), .hang_after = 10}; });
    const auto message = error_message(complete(client_for(server.url(), limits)));
    EXPECT_TRUE(contains(message, "llm_stall_timeout_ms")) << message;
  }
}

TEST(EndpointClient, AnEndlessAnswerIsCutOffOnce) {
  ScriptedServer server(
      [](const SeenRequest&) { return ScriptedReply{.body = std::string(10'000, 'x'), .endless = true}; });
  const auto reply = complete(client_for(server.url()));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::limit_exceeded);
  EXPECT_TRUE(contains(error_message(reply), "llm_max_response_bytes"));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(EndpointClient, RedirectsAreNotFollowed) {
  ScriptedServer elsewhere([](const SeenRequest&) { return ScriptedReply{.body = chat_body({"stolen"})}; });
  ScriptedServer server([&](const SeenRequest&) {
    return ScriptedReply{.status = 307, .headers = {{"Location", elsewhere.url() + "/v1/chat/completions?k=" + key}}};
  });
  const auto message = error_message(complete(client_for(server.url())));
  EXPECT_TRUE(contains(message, "redirect to " + elsewhere.url())) << message;
  EXPECT_TRUE(elsewhere.requests().empty());
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(EndpointClient, NobodyThere) {
  std::string url;
  {
    url = ScriptedServer([](const SeenRequest&) { return ScriptedReply{}; }).url();
  }
  const auto reply = complete(client_for(url));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::io);
  EXPECT_EQ(error_message(reply),
            url + "/v1/chat/completions: the connection is refused: is the server running, and is the URL right?");
}

// A server that has answered before may come back.
TEST(EndpointClient, NobodyThereAnyMore) {
  auto server = std::make_unique<ScriptedServer>([](const SeenRequest&) {
    return ScriptedReply{.body = chat_body({"here"}), .headers = {{"Connection", "close"}}};
  });
  EndpointChat chat(client_for(server->url()), nullptr, {});
  ASSERT_TRUE(chat.complete(request_of("hi"), {}).ok());
  server.reset();
  EXPECT_TRUE(contains(error_message(chat.complete(request_of("hi"), {})), "after 3 attempts"));
}

TEST(EndpointClient, InterruptsEndTheWaitAndTheRetries) {
  ScriptedServer slow(
      [](const SeenRequest&) { return ScriptedReply{.body = chat_body({"late"}), .delay_ms = 60'000}; });
  ScriptedServer busy([](const SeenRequest&) {
    return ScriptedReply{.status = 429, .body = "{}", .headers = {{"Retry-After", "2"}}};
  });
  for (const auto& url : {slow.url(), busy.url()}) {
    int asked = 0;
    RequestContext context;
    context.stop = [&asked] { return ++asked > 2; };
    const auto reply =
        complete(client_for(url, {{milliseconds(5000), milliseconds(60'000), milliseconds(60'000), 1 << 20},
                                  {2, milliseconds(1), milliseconds(60'000)}}),
                 request_of("hi"), context);
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code, ErrorCode::interrupted);
    EXPECT_EQ(asked, 3);
  }
}

TEST(EndpointClient, AnInterruptOfOneRequestLeavesTheOthersAlone) {
  ScriptedServer server([](const SeenRequest& request) {
    return ScriptedReply{.body = chat_body({"ok"}), .delay_ms = contains(request.body, "slow") ? 60'000 : 300};
  });
  const auto client = client_for(server.url());
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  std::atomic<int> interrupted = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      RequestContext context;
      const auto begin = std::chrono::steady_clock::now();
      if (i % 2 == 0) context.stop = [begin] { return std::chrono::steady_clock::now() - begin > milliseconds(100); };
      const auto reply = complete(client, request_of(i % 2 == 0 ? "slow" : "fast"), context);
      if (reply.ok()) ++good;
      if (!reply.ok() && reply.error().code == ErrorCode::interrupted) ++interrupted;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(interrupted, 4);
}

TEST(EndpointClient, ManyRequestsShareFewConnections) {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  ScriptedServer server(
      [&](const SeenRequest& request) {
        const int running = ++now;
        for (int seen = most; seen < running && !most.compare_exchange_weak(seen, running);) {
        }
        std::this_thread::sleep_for(milliseconds(5));
        --now;
        return ScriptedReply{.body = chat_body({request.body})};
      },
      32);
  const auto client = client_for(server.url(), {}, 4);
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 64; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) {
        const auto text = std::to_string(t) + "/" + std::to_string(i);
        const auto reply = complete(client, request_of(text));
        if (reply.ok() && contains(reply->choices.front().text, "\"" + text + "\""))
          ++good;  // each request gets the answer to its own question
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 192);
  EXPECT_LE(most, 4);
}

TEST(EndpointClient, WhatStopThrowsIsAnError) {
  ScriptedServer server(
      [](const SeenRequest&) { return ScriptedReply{.body = chat_body({"late"}), .delay_ms = 60'000}; });
  const auto client = client_for(server.url());
  RequestContext context;
  context.stop = []() -> bool { throw std::bad_alloc(); };
  EXPECT_EQ(complete(client, request_of("hi"), context).error().code, ErrorCode::out_of_memory);
  // And the transport is still usable afterwards.
  context.stop = [] { return true; };
  EXPECT_EQ(complete(client, request_of("hi"), context).error().code, ErrorCode::interrupted);
}

TEST(EndpointClient, Budgets) {
  ScriptedServer server([](const SeenRequest&) { return ScriptedReply{.body = chat_body({"ok"})}; });
  const auto client = client_for(server.url());
  Budget call(Budget::Scope::call, 2);
  Budget connection(Budget::Scope::connection, 0, 20);  // an answer takes 15 tokens
  RequestContext context;
  context.call_budget = &call;
  EXPECT_TRUE(complete(client, request_of("hi"), context).ok());
  EXPECT_TRUE(complete(client, request_of("hi"), context).ok());
  const auto third = complete(client, request_of("hi"), context);
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().code, ErrorCode::limit_exceeded);
  EXPECT_TRUE(contains(third.error().message, "llm_call_requests")) << third.error().message;
  context.call_budget = nullptr;
  context.connection_budget = &connection;
  EXPECT_TRUE(complete(client, request_of("hi"), context).ok());
  EXPECT_TRUE(complete(client, request_of("hi"), context).ok());
  EXPECT_TRUE(contains(error_message(complete(client, request_of("hi"), context)), "llm_connection_tokens"));
  EXPECT_EQ(server.requests().size(), 4U);
}

// --- samples -------------------------------------------------------------------------------------------------------

TEST(EndpointChat, AServerThatIgnoresNIsAskedUntilThereAreEnough) {
  std::atomic<int> count = 0;
  ScriptedServer server(
      [&](const SeenRequest&) { return ScriptedReply{.body = chat_body({"answer " + std::to_string(++count)})}; });
  ChatRequest request = request_of("hi", 5);
  request.seed = 100;
  const auto reply = complete(client_for(server.url()), request);
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  ASSERT_EQ(reply->choices.size(), 5U);
  EXPECT_EQ(reply->usage.requests, 5);
  std::set<std::string> texts;
  for (const auto& choice : reply->choices) texts.insert(choice.text);
  EXPECT_EQ(texts.size(), 5U);
  std::set<std::string> seeds;
  for (const auto& seen : server.requests()) seeds.insert(seen.body.substr(seen.body.find("\"seed\"")));
  EXPECT_EQ(seeds.size(), 5U);
}

TEST(EndpointChat, AServerThatRefusesNIsAskedForOneAtATime) {
  ScriptedServer server([](const SeenRequest& request) {
    if (contains(request.body, "\"n\":"))
      return ScriptedReply{.status = 400, .body = R"({"error":{"message":"'n' : number must be at most 1"}})"};
    return ScriptedReply{.body = chat_body({"ok"})};
  });
  const auto client = client_for(server.url());
  EndpointChat chat(client, nullptr, {});
  EXPECT_EQ(chat.complete(request_of("hi", 3), {})->choices.size(), 3U);
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_EQ(chat.complete(request_of("hi", 3), {})->choices.size(), 3U);  // it is remembered
  EXPECT_EQ(server.requests().size(), 7U);
}

TEST(EndpointChat, MoreThanWasAskedForIsLeftOut) {
  ScriptedServer server([](const SeenRequest&) { return ScriptedReply{.body = chat_body({"a", "b", "c"})}; });
  EXPECT_EQ(complete(client_for(server.url()), request_of("hi", 2))->choices.size(), 2U);
}

TEST(EndpointChat, OneFailureAmongTheSamplesIsAFailure) {
  ScriptedServer server([](const SeenRequest& request) {
    if (contains(request.body, "\"seed\":102")) return ScriptedReply{.status = 404, .body = R"({"error":"gone"})"};
    return ScriptedReply{.body = chat_body({"ok"}), .delay_ms = contains(request.body, "\"seed\":100") ? 0 : 10};
  });
  ChatRequest request = request_of("hi", 5);
  request.seed = 100;
  EXPECT_TRUE(contains(error_message(complete(client_for(server.url()), request)), "gone"));
}

TEST(EndpointChat, NewerModelsTakeTheLimitUnderAnotherName) {
  ScriptedServer server([](const SeenRequest& request) {
    if (contains(request.body, "\"max_tokens\"")) {
      return ScriptedReply{
          .status = 400,
          .body =
              R"({"error":{"message":"Unsupported parameter: use 'max_completion_tokens' instead.","param":"max_tokens"}})"};
    }
    return ScriptedReply{.body = chat_body({"ok"})};
  });
  EndpointChat chat(client_for(server.url()), nullptr, {.max_tokens = 50, .seed = std::nullopt});
  EXPECT_TRUE(chat.complete(request_of("hi"), {}).ok());
  EXPECT_TRUE(chat.complete(request_of("hi"), {}).ok());
  const auto seen = server.requests();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_TRUE(contains(seen[2].body, "\"max_completion_tokens\":50"));
}

// --- certificates --------------------------------------------------------------------------------------------------

class EndpointClientTls : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "trustsql-tls-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    files_ = make("localhost");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  TlsFiles make(const std::string& host) const {
    const TlsFiles files = {folder_ + "/" + host + ".pem", folder_ + "/" + host + ".key"};
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout " + files.key +
        " -out " + files.certificate + " -subj /CN=" + host + " -addext subjectAltName=DNS:" + host + " 2>/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << "needs the program openssl";
    return files;
  }
  static ScriptedReply answer(const SeenRequest&) { return {.body = chat_body({"ok"})}; }
  Result<ChatReply> ask_with(const std::string& url, const std::string& ca_file) const {
    auto settings = settings_for(url);
    settings.ca_file = ca_file;
    return complete(std::make_shared<EndpointClient>(settings, std::make_shared<HttpTransport>(4)));
  }

  std::string folder_;
  TlsFiles files_;
};

TEST_F(EndpointClientTls, ACertificateThatNobodyVouchesForIsRefused) {
  ScriptedServer server(answer, 4, files_);
  const auto reply = ask_with(server.url(), "");
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::io);
  EXPECT_TRUE(contains(error_message(reply), "certificate")) << reply.error().message;
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(EndpointClientTls, TheCaFileVouchesForIt) {
  ScriptedServer server(answer, 4, files_);
  const auto reply = ask_with(server.url(), files_.certificate);
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->choices.front().text, "ok");
}

TEST_F(EndpointClientTls, ACertificateOfAnotherHostIsRefused) {
  const auto other = make("elsewhere.example");
  ScriptedServer server(answer, 4, other);
  const auto reply = ask_with(server.url(), other.certificate);
  ASSERT_FALSE(reply.ok());
  EXPECT_TRUE(server.requests().empty());
}

// --- pure parts ----------------------------------------------------------------------------------------------------

TEST(Backoff, DoublesUpToTheLongestWaitAndScatters) {
  const RetryLimits limits = {10, milliseconds(500), milliseconds(8000)};
  EXPECT_EQ(backoff(limits, 1, 0.0), milliseconds(250));
  EXPECT_EQ(backoff(limits, 1, 1.0), milliseconds(500));
  EXPECT_EQ(backoff(limits, 3, 1.0), milliseconds(2000));
  EXPECT_EQ(backoff(limits, 50, 1.0), milliseconds(8000));
  EXPECT_EQ(backoff(limits, 2000, 1.0), milliseconds(8000));
}

}  // namespace
}  // namespace trustsql::llm
