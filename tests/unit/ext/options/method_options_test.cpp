#include "ext/options/method_options.hpp"

#include <gtest/gtest.h>

#include "unit/nl2sql/published_methods.hpp"

namespace trustsql::ext {
namespace {

TEST(MethodOptions, OverrideTheMethod) {
  auto method = *nl2sql::parse_method("SQLPROMPT");
  const auto options = *Options::parse(
      R"({"samples":7,"vote":"equivalence","quorum":"unanimous","threshold":0.5,"demonstrations":0,
          "confidence":["maxprob","votes"]})",
      method_options);
  ASSERT_TRUE(apply_options(options, method).ok());
  EXPECT_EQ(method.samples, 7);
  EXPECT_EQ(method.temperature, 1);
  EXPECT_EQ(method.rule.by, nl2sql::VoteBy::equivalence);
  EXPECT_EQ(method.rule.quorum, nl2sql::Quorum::unanimous);
  EXPECT_EQ(method.threshold, 0.5);
  EXPECT_EQ(method.other_databases, 0);
  EXPECT_EQ(method.signals, (std::vector<nl2sql::Signal>{nl2sql::Signal::max_probability, nl2sql::Signal::votes}));
}

TEST(MethodOptions, ThatAreNotGivenChangeNothing) {
  for (const auto name : nl2sql::published_methods) {
    auto method = *nl2sql::parse_method(name);
    const auto before = method;
    ASSERT_TRUE(apply_options(Options(method_options), method).ok());
    EXPECT_EQ(method.samples, before.samples);
    EXPECT_EQ(method.temperature, before.temperature);
    EXPECT_EQ(method.rule, before.rule);
    EXPECT_EQ(method.demonstrations, before.demonstrations);
    EXPECT_EQ(method.signals, before.signals);
  }
  auto numbered = *nl2sql::parse_method("DART(K=2,R=1)");
  ASSERT_TRUE(apply_options(Options(method_options), numbered).ok());
  EXPECT_EQ(numbered.rewrite_rows, 2);
  EXPECT_EQ(numbered.rounds, 1);
}

}  // namespace
}  // namespace trustsql::ext
