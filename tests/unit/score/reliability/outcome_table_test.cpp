#include "score/reliability/outcome_table.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

using enum ReliabilityCase;

Status add(OutcomeTable& table, std::string_view system, std::optional<std::string_view> question,
           std::optional<ReliabilityCase> outcome) {
  return table.add({.system = system, .question = question, .reliability_case = outcome});
}

TEST(OutcomeTable, NumbersNamesInOrderOfAppearance) {
  OutcomeTable table;
  const std::vector<Value> hard = {std::string("hard"), std::int64_t{1}};
  const std::vector<Value> also_hard = {std::string("hard"), 1.0};  // 1 and 1.0 are one value
  ASSERT_TRUE(
      table.add({.system = "b", .question = "1", .groups = hard, .cluster = "pets", .reliability_case = I}).ok());
  ASSERT_TRUE(
      table.add({.system = "a", .question = "1", .groups = also_hard, .cluster = "cars", .reliability_case = III})
          .ok());
  EXPECT_EQ(table.systems().name(0), "b");
  EXPECT_EQ(table.systems().find("a"), 1U);
  EXPECT_EQ(table.systems().find("c"), std::nullopt);
  EXPECT_EQ(table.groups().size(), 1U);
  EXPECT_EQ(table.rows()[1].question, 0U);
  EXPECT_EQ(table.clusters().size(), 2U);
}

TEST(OutcomeTable, AMissingRowIsAnErrorUnlessCounted) {
  OutcomeTable table;
  for (const auto* question : {"1", "2", "3"}) ASSERT_TRUE(add(table, "full", question, II).ok());
  ASSERT_TRUE(add(table, "gaps", "2", I).ok());
  ASSERT_TRUE(add(table, "gaps", "3", I).ok());
  const auto status = table.check(MissingRows::error);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "system 'gaps' has no row for 1 of 3 questions, the first is question '1'; a missing row is not an "
            "abstention ({\"missing\":\"count\"} "
            "continues without it)");
}

TEST(OutcomeTable, MissingRowsAreCounted) {
  OutcomeTable table;
  for (const auto* question : {"1", "2", "3"}) ASSERT_TRUE(add(table, "full", question, II).ok());
  ASSERT_TRUE(add(table, "gaps", "3", I).ok());
  EXPECT_FALSE(table.check(MissingRows::error).ok());
  EXPECT_TRUE(table.check(MissingRows::count).ok());
  EXPECT_EQ(table.missing(0), 0);
  EXPECT_EQ(table.missing(1), 2);
  table.expect("4");
  EXPECT_EQ(table.missing(0), 1);
}

TEST(OutcomeTable, FeasibilityIsAPropertyOfTheQuestion) {
  OutcomeTable table;
  ASSERT_TRUE(add(table, "a", "7", I).ok());
  ASSERT_TRUE(add(table, "b", "7", std::nullopt).ok());
  const auto status = add(table, "c", "7", V);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "question '7' is feasible in one row and infeasible in another (system 'c' has case V)");
}

TEST(OutcomeTable, ASecondRowIsAnErrorUnlessQuestionsRepeat) {
  OutcomeTable ids;
  ASSERT_TRUE(add(ids, "a", "7", I).ok());
  const auto status = add(ids, "a", "7", I);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "system 'a' has two rows for question '7'; a system needs one row for each question");

  OutcomeTable texts(/*repeatable=*/true);
  for (const auto* system : {"a", "b"})
    for (const auto outcome : {I, V, II}) ASSERT_TRUE(add(texts, system, "How many?", outcome).ok());
  EXPECT_TRUE(texts.check(MissingRows::error).ok());
  EXPECT_EQ(texts.rows()[4].question, texts.rows()[1].question);
  EXPECT_EQ(texts.question_name(texts.rows()[4].question), "question 'How many?'");
}

TEST(OutcomeTable, RowsWithoutIdentityMustBeEquallyMany) {
  OutcomeTable table;
  ASSERT_TRUE(add(table, "a", std::nullopt, I).ok());
  ASSERT_TRUE(add(table, "b", std::nullopt, V).ok());
  EXPECT_TRUE(table.check(MissingRows::error).ok());
  ASSERT_TRUE(add(table, "b", std::nullopt, V).ok());
  EXPECT_FALSE(table.check(MissingRows::error).ok());
  EXPECT_TRUE(table.check(MissingRows::count).ok());
}

}  // namespace
}  // namespace trustsql
