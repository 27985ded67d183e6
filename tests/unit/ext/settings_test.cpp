#include "base/settings.hpp"

#include <gtest/gtest.h>

#include <cctype>

#include "trustsql/trustsql.h"
#include "unit/ext/support.hpp"

namespace trustsql {
namespace {

using ext::testing_support::Database;

TEST(Settings, TheEnvironmentOverridesTheDefaultAndNullGoesBackToIt) {
  const auto environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "TRUSTSQL_TIMEOUT_MS") return "77";
    return std::nullopt;
  };
  auto settings = Settings::create(environment).value();
  EXPECT_EQ(settings.integer(Setting::timeout_ms), 77);
  EXPECT_EQ(settings.source(0), Settings::Source::env);
  ASSERT_TRUE(settings.set("timeout_ms", ValueView::of_integer(5)).ok());
  EXPECT_EQ(settings.integer(Setting::timeout_ms), 5);
  ASSERT_TRUE(settings.set("timeout_ms", ValueView::null()).ok());
  EXPECT_EQ(settings.integer(Setting::timeout_ms), 77);
}

// A host that cannot run SQL on its connections, as a node of dqlite, configures all of them so.
TEST(Settings, EachCanComeFromTheEnvironment) {
  for (const auto& spec : setting_specs()) {
    std::string variable = "TRUSTSQL_";
    for (const char c : spec.key) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string value = spec.type == SettingType::integer ? std::to_string(spec.min)
                              : spec.choices.empty()            ? "http://127.0.0.1:9/v1"
                                                     : std::string(spec.choices.substr(spec.choices.rfind('|') + 1));
    auto settings = Settings::create(
        [&](std::string_view name) { return name == variable ? std::optional<std::string>(value) : std::nullopt; });
    ASSERT_TRUE(settings.ok()) << variable << ": " << settings.error().message;
    const auto index = static_cast<std::size_t>(&spec - setting_specs().data());
    EXPECT_EQ(settings->source(index), Settings::Source::env) << variable;
  }
}

TEST(Settings, ABadVariableIsAnErrorThatNamesIt) {
  const auto settings = Settings::create([](std::string_view name) {
    return name == "TRUSTSQL_THREADS" ? std::optional<std::string>("many") : std::nullopt;
  });
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().message.find("TRUSTSQL_THREADS"), std::string::npos);
  EXPECT_NE(settings.error().message.find("'many'"), std::string::npos);
}

TEST(Settings, DefaultsAreTakenByTheirOwnRanges) {
  EXPECT_TRUE(Settings::create([](std::string_view) { return std::nullopt; }).ok());
}

TEST(TrustsqlConfig, ReadsSetsAndResetsOneConnection) {
  Database a;
  a.load(sqlite3_trustsql_init);
  Database b;
  b.load(sqlite3_trustsql_init);
  EXPECT_EQ(a.value("SELECT trustsql_config('max_rows', 10)"), "10");
  EXPECT_EQ(a.value("SELECT value || ' ' || source FROM trustsql_settings WHERE key = 'max_rows'"), "10 set");
  EXPECT_EQ(b.value("SELECT trustsql_config('max_rows')"), "2000000");
  EXPECT_EQ(a.value("SELECT trustsql_config('max_rows', NULL)"), "2000000");
  EXPECT_EQ(a.error("SELECT trustsql_config('max_rows', 0)"),
            "trustsql_config: setting 'max_rows' must be an integer from 1 to 1099511627776, not '0'");
  EXPECT_NE(a.error("SELECT trustsql_config('max_row')")
                .find("unknown setting 'max_row' (did you mean 'max_rows'?); known: timeout_ms"),
            std::string::npos);
  EXPECT_EQ(a.error("SELECT trustsql_config(1)"), "trustsql_config: argument 1 (key) must be a text, not integer '1'");
  EXPECT_EQ(a.value("SELECT trustsql_config(NULL)"), "NULL");
}

TEST(TrustsqlConfig, IsRefusedInViewsAndTriggers) {
  Database db;
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(db.error("CREATE VIEW v AS SELECT trustsql_config('max_rows', 1); SELECT * FROM v"),
            "unsafe use of trustsql_config()");
}

TEST(TableFunction, TooManyArgumentsIsAnError) {
  Database db;
  db.load(sqlite3_trustsql_init);
  EXPECT_NE(db.error("SELECT * FROM trustsql_functions('x')"), "");
}

}  // namespace
}  // namespace trustsql
