#include "score/report/error_explanation.hpp"

#include <gtest/gtest.h>

#include "db/sources/ddl_source.hpp"

namespace trustsql {
namespace {

using Search = ExplainedError::Search;

Settings default_settings() {
  return *Settings::create([](std::string_view) { return std::nullopt; });
}

WrongAnswer wrong(const char* gold, const char* prediction, std::optional<std::string> database = {}) {
  WrongAnswer answer;
  answer.texts.gold = gold;
  answer.texts.prediction = prediction;
  answer.texts.database = std::move(database);
  return answer;
}

struct Explained {
  std::vector<ExplainedError> errors;
  int opened = 0;
};

Explained explain(std::vector<WrongAnswer> answers, ExplanationOptions options = {}) {
  Explained explained;
  ExplanationContext context;
  context.open = [&](const std::optional<std::string>& database) -> Result<std::shared_ptr<SandboxSource>> {
    ++explained.opened;
    if (database) return io_error("cannot open");
    return open_ddl("CREATE TABLE t(a INTEGER, b TEXT)", default_settings());
  };
  context.dialect.version = 3040000;
  auto errors = explain_errors(std::move(answers), options, context);
  EXPECT_TRUE(errors.ok());
  if (errors.ok()) explained.errors = *std::move(errors);
  return explained;
}

TEST(ExplainErrors, FindsKindsAndCounterexamples) {
  auto [errors, opened] = explain({wrong("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a > 2"),
                                   wrong("SELECT a FROM t", "SELECT a, b FROM t"),
                                   wrong("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a > 2"),
                                   wrong("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE 1 < a"),
                                   wrong("SELECT a FROM t", "SELEC a"), wrong("SELECT a FROM t", "SELECT x FROM t")});
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(errors[0].kind, "values");
  EXPECT_EQ(errors[0].search, Search::found);
  EXPECT_NE(errors[0].counterexample->script.find("CREATE TABLE t"), std::string::npos);
  EXPECT_TRUE(errors[0].difference.starts_with("The prediction requires a > 2 instead of a > 1: with the row "))
      << errors[0].difference;
  EXPECT_EQ(errors[1].kind, "table/column");
  EXPECT_EQ(errors[1].search, Search::found);
  EXPECT_EQ(errors[2].counterexample->script, errors[0].counterexample->script);
  EXPECT_EQ(errors[2].difference, errors[0].difference);
  EXPECT_EQ(errors[3].search, Search::same);
  EXPECT_EQ(errors[3].difference, "");
  EXPECT_EQ(errors[4].kind, "others");
  EXPECT_EQ(errors[4].search, Search::none);  // no query to compare
  EXPECT_EQ(errors[5].search, Search::none);
}

TEST(ExplainErrors, TheOrderOfColumnsCountsOnlyIfItIsJudged) {
  const std::vector<WrongAnswer> answers = {wrong("SELECT a, b FROM t", "SELECT b, a FROM t")};
  EXPECT_NE(explain(answers).errors[0].search, Search::found);
  ExplanationOptions strict;
  strict.columns_in_order = true;
  EXPECT_EQ(explain(answers, strict).errors[0].search, Search::found);
}

TEST(ExplainErrors, WhatCannotBeComparedIsNoError) {
  auto infeasible = wrong("SELECT 1", "SELECT 2");
  infeasible.reliability_case = ReliabilityCase::IV;
  infeasible.texts.gold.reset();
  auto named = wrong("SELECT 1", "SELECT 2");
  named.texts.error_kind = "mine";
  const auto [errors, opened] =
      explain({infeasible, wrong("SELECT 1", "SELECT 2", "missing.db"), named, wrong("no query", "SELECT 2")});
  EXPECT_EQ(errors[0].search, Search::none);
  EXPECT_EQ(errors[0].kind, "");
  EXPECT_EQ(errors[1].search, Search::none);
  EXPECT_EQ(errors[1].kind, "values");
  EXPECT_EQ(errors[2].kind, "mine");
  EXPECT_EQ(errors[3].kind, "");
  EXPECT_EQ(opened, 2);
}

TEST(ExplainErrors, WithoutACounterexampleTheirOwnDatabaseTells) {
  // A query whose result varies is told apart from no other.
  auto run = wrong("SELECT 1 AS n LIMIT abs(random() % 2) + 1", "SELECT 2 AS n");
  run.was_run = true;
  auto said = run;
  said.was_run = false;
  EXPECT_TRUE(explain({run}).errors[0].own.has_value());
  EXPECT_FALSE(explain({said}).errors[0].own.has_value());
  const auto own = *explain({run}).errors[0].own;
  EXPECT_EQ(own.gold_rows, 1U);
  EXPECT_EQ(own.gold.at(0, 0).integer, 1);
  EXPECT_EQ(own.prediction.at(0, 0).integer, 2);
  run.failure = query_failed("it failed");
  EXPECT_FALSE(explain({run}).errors[0].own.has_value());
}

TEST(ExplainErrors, WithoutTimeNothingIsSearchedFor) {
  ExplanationOptions none;
  none.budget = std::chrono::milliseconds(0);
  const auto [errors, opened] = explain({wrong("SELECT a FROM t", "SELECT b FROM t")}, none);
  EXPECT_EQ(errors[0].search, Search::none);
  EXPECT_EQ(errors[0].kind, "table/column");
  EXPECT_EQ(opened, 0);
}

TEST(ExplainErrors, CanBeInterrupted) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    ExplanationOptions options;
    options.threads = threads;
    ExplanationContext context;
    context.open = [](const std::optional<std::string>&) {
      return open_ddl("CREATE TABLE t(a, b)", default_settings());
    };
    context.interrupted = [] { return true; };
    std::vector<WrongAnswer> answers;
    for (int i = 0; i < 50; ++i)
      answers.push_back(wrong("SELECT a FROM t", ("SELECT b FROM t LIMIT " + std::to_string(i)).c_str()));
    const auto explained = explain_errors(answers, options, context);
    ASSERT_FALSE(explained.ok());
    EXPECT_EQ(explained.error().code, ErrorCode::interrupted);
  }
}

}  // namespace
}  // namespace trustsql
