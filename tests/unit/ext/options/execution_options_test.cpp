#include "ext/options/execution_options.hpp"

#include <gtest/gtest.h>

namespace trustsql::ext {
namespace {

Result<ExecOptions> exec_options_in(const char* json) {
  auto options = Options::parse(json, execution_options);
  if (!options.ok()) return std::move(options).error();
  return exec_options(*options);
}

TEST(ExecOptions, DefaultsAndNames) {
  EXPECT_EQ(*exec_options_in("{}"), ExecOptions{});
  EXPECT_EQ(*exec_options_in(R"({"semantics":"strict"})"), (ExecOptions{.semantics = ExecSemantics::strict}));
  EXPECT_EQ(*exec_options_in(R"({"semantics":"spider"})"), (ExecOptions{.semantics = ExecSemantics::spider}));
  EXPECT_EQ(*exec_options_in(R"({"semantics":"spider","distinct":"keep"})"),
            (ExecOptions{.semantics = ExecSemantics::spider, .distinct = SpiderDistinct::keep}));
  const auto ehrsql = exec_options_in(R"({"semantics":"trustsql","dataset":"ehrsql"})");
  ASSERT_TRUE(ehrsql.ok());
  EXPECT_EQ(ehrsql->dataset, TrustsqlDataset::ehrsql);
  EXPECT_EQ(ehrsql->cleaning, PredictionCleaning::benchmark());
  EXPECT_EQ(exec_options_in(R"({"semantics":"trustsql","clean":[]})")->cleaning, PredictionCleaning{});
  EXPECT_TRUE(exec_options_in(R"({"clean":["quotes"]})")->cleaning.quotes);
}

TEST(ExecOptions, WhatDoesNotGoTogetherIsAnError) {
  for (const auto* json :
       {R"({"distinct":"keep"})", R"({"semantics":"trustsql","distinct":"keep"})", R"({"dataset":"atis"})",
        R"({"clean":["all"]})", R"({"clean":[1]})", R"({"semantics":"set"})", R"({"semantic":"bag"})"})
    EXPECT_FALSE(exec_options_in(json).ok()) << json;
}

}  // namespace
}  // namespace trustsql::ext
