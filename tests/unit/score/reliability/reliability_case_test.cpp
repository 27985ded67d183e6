#include "score/reliability/reliability_case.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

TEST(ReliabilityCase, NamesReadBack) {
  EXPECT_EQ(case_name(ReliabilityCase::I), "I");
  EXPECT_EQ(case_name(ReliabilityCase::IV), "IV");
  for (const auto reliability_case : all_reliability_cases) {
    const auto parsed = parse_case(case_name(reliability_case));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value(), reliability_case);
  }
}

TEST(ReliabilityCase, OtherTextsAreErrorsThatNameTheCases) {
  for (const auto* text : {"", "i", "VI", " I", "1", "IIII"}) {
    const auto parsed = parse_case(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().message.find("I, II, III, IV, V"), std::string::npos);
  }
  EXPECT_FALSE(parse_case(std::string_view("I\0", 2)).ok());
}

TEST(ReliabilityCase, Figure1) {
  EXPECT_EQ(classify(true, true, true), ReliabilityCase::I);
  EXPECT_EQ(classify(true, true, false), ReliabilityCase::III);
  for (const bool right : {false, true}) {
    EXPECT_EQ(classify(true, false, right), ReliabilityCase::II);
    EXPECT_EQ(classify(false, true, right), ReliabilityCase::IV);
    EXPECT_EQ(classify(false, false, right), ReliabilityCase::V);
  }
}

TEST(ReliabilityCase, PropertiesAgreeWithTheCases) {
  for (const bool feasible : {false, true}) {
    for (const bool answered : {false, true}) {
      const auto c = classify(feasible, answered, false);
      EXPECT_EQ(is_feasible(c), feasible);
      EXPECT_EQ(is_answered(c), answered);
    }
  }
  EXPECT_TRUE(is_useful(ReliabilityCase::I) && is_useful(ReliabilityCase::V));
  EXPECT_TRUE(is_harmful(ReliabilityCase::III) && is_harmful(ReliabilityCase::IV));
  EXPECT_FALSE(is_useful(ReliabilityCase::II) || is_harmful(ReliabilityCase::II));
}

}  // namespace
}  // namespace trustsql
