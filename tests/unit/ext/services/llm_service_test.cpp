#include "ext/services/llm_service.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "unit/ext/support.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;

Settings settings_with(std::initializer_list<std::pair<const char*, const char*>> values) {
  auto settings = Settings::create([](std::string_view) { return std::nullopt; }).value();
  for (const auto& [key, value] : values) EXPECT_TRUE(settings.set(key, ValueView::of_text(value)).ok()) << key;
  return settings;
}

TEST(LlmService, ClientsAreMadeAnewWhenSettingsChangeAndNotBefore) {
  Database db;
  Session session(db.handle(), EntryPoint::full, settings_with({{"llm_url", "http://127.0.0.1:9"}}));
  LlmService& service = LlmService::of(session);
  EXPECT_TRUE(service.has_chat());
  EXPECT_FALSE(service.has_embeddings());
  const auto first = service.chat().value();
  EXPECT_EQ(service.chat().value(), first);
  ASSERT_TRUE(session.settings().set("llm_retries", ValueView::of_integer(0)).ok());
  EXPECT_NE(service.chat().value(), first);
  ASSERT_TRUE(session.settings().set("llm_url", ValueView::of_text("gopher://x")).ok());
  EXPECT_FALSE(service.chat().ok());
  ASSERT_TRUE(session.settings().set("llm_url", ValueView::null()).ok());
  EXPECT_FALSE(service.has_chat());
}

TEST(LlmService, IsNotThereWithoutNetwork) {
  Database db;
  Session session(db.handle(), EntryPoint::offline,
                  settings_with({{"llm_url", "http://127.0.0.1:9"}, {"embed_model", "e"}}));
  EXPECT_FALSE(LlmService::of(session).has_chat());
  EXPECT_FALSE(LlmService::of(session).has_embeddings());
  const auto chat = LlmService::of(session).chat();
  ASSERT_FALSE(chat.ok());
  EXPECT_EQ(chat.error().code, ErrorCode::not_allowed);
}

TEST(LlmService, RowsGoToThisMachineUnlessToldOtherwise) {
  Database db;
  const auto sends = [&](const char* url, const char* choice) {
    Session session(db.handle(), EntryPoint::full, settings_with({{"llm_url", url}, {"llm_send_rows", choice}}));
    return LlmService::of(session).sends_rows();
  };
  EXPECT_TRUE(sends("http://localhost:9", "loopback"));
  EXPECT_FALSE(sends("https://a.example", "loopback"));
  EXPECT_TRUE(sends("https://a.example", "always"));
  EXPECT_FALSE(sends("http://localhost:9", "never"));
}

TEST(LlmService, EachStageHasItsModelOrTheOneOfAll) {
  const auto settings = settings_with({{"llm_model", "all"}, {"llm_model_triage", "small"}});
  EXPECT_EQ(model_of(settings, Setting::llm_model_triage), "small");
  EXPECT_EQ(model_of(settings, Setting::llm_model_generate), "all");
}

TEST(LlmCall, OtherThreadsHearOfAnInterruptFromTheHostsThread) {
  Database db;
  Session session(db.handle(), EntryPoint::full, settings_with({}));
  const auto probe = [](sqlite3_context* context, int, sqlite3_value**) {
    auto& session = *static_cast<Session*>(sqlite3_user_data(context));
    LlmCall call(session);
    const auto elsewhere = [&call] {
      bool stopped = false;
      std::thread([&] { stopped = call.context().stop(); }).join();
      return stopped;
    };
    EXPECT_FALSE(call.stopped());
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // until the host may be probed again
    sqlite3_interrupt(session.host());
    EXPECT_FALSE(elsewhere());
    EXPECT_TRUE(call.stopped());
    EXPECT_TRUE(elsewhere());
  };
  ASSERT_EQ(sqlite3_create_function(db.handle(), "probe", 0, SQLITE_UTF8, &session, probe, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(db.error("SELECT probe()"), "interrupted");
}

TEST(LlmCall, HasABudgetOfItsOwn) {
  Database db;
  Session session(db.handle(), EntryPoint::full, settings_with({}));
  ASSERT_TRUE(session.settings().set("llm_call_requests", ValueView::of_integer(1)).ok());
  for (int i = 0; i < 2; ++i) {
    LlmCall call(session);
    EXPECT_TRUE(call.context().call_budget->take_request().ok());
    EXPECT_FALSE(call.context().call_budget->take_request().ok());
  }
}

}  // namespace
}  // namespace trustsql::ext
