#include "semparse/words/spelled_dates.hpp"

#include <gtest/gtest.h>

#include "plan/date_text.hpp"

namespace trustsql::semparse {
namespace {

std::string first_date(const char* text) {
  const auto question = read_question(text);
  for (std::size_t i = 0; i < question.words.size(); ++i)
    if (const auto date = spelled_date_at(question, i))
      return date->text + " " + std::string(question.text_of(date->span));
  return {};
}

TEST(SpelledDates, MonthsAndDays) {
  EXPECT_EQ(first_date("after March 2024"), "2024-03 March 2024");
  EXPECT_EQ(first_date("in sept 2023?"), "2023-09 sept 2023");
  EXPECT_EQ(first_date("in May of 2021"), "2021-05 May of 2021");
  EXPECT_EQ(first_date("on 5 March 2024"), "2024-03-05 5 March 2024");
  EXPECT_EQ(first_date("on the 5th of March 2024"), "2024-03-05 5th of March 2024");
  EXPECT_EQ(first_date("on March 5, 2024"), "2024-03-05 March 5, 2024");
  EXPECT_EQ(first_date("before December 31st 1999"), "1999-12-31 December 31st 1999");
}

TEST(SpelledDates, WhatIsNone) {
  for (const auto* text :
       {"in March", "they may 5", "on 5 March", "March 45, 2024", "in 2024", "'March 2024'", "Mary 2024", "decor 2024"})
    EXPECT_EQ(first_date(text), "") << text;
}

TEST(SpelledDates, DaysThatDoNotExist) {
  const auto exists = [](const char* text) {
    const auto date = spelled_date_at(read_question(text), 0);
    return date && date->exists;
  };
  EXPECT_TRUE(exists("29 February 2024"));
  EXPECT_FALSE(exists("29 February 2023"));
  EXPECT_FALSE(exists("30 February 2024"));
  EXPECT_FALSE(exists("April 31, 2024"));
  EXPECT_EQ(first_date("on 30 February 2024"), "2024-02-30 30 February 2024");
  EXPECT_TRUE(plan::is_date_text("2000-02-29"));
  EXPECT_FALSE(plan::is_date_text("1900-02-29"));
  EXPECT_FALSE(plan::is_date_text("2024-13-01"));
  EXPECT_FALSE(plan::is_date_text("2024-00-10"));
  EXPECT_FALSE(plan::is_date_text("2024-04-31"));
}

TEST(SpelledDates, Texts) {
  EXPECT_TRUE(is_month_text("2024-03"));
  EXPECT_FALSE(is_month_text("2024-03-05"));
  EXPECT_TRUE(is_day_text("2024-03-05"));
  EXPECT_FALSE(is_day_text("2024/03/05"));
  EXPECT_EQ(next_month("2024-03"), "2024-04-01");
  EXPECT_EQ(next_month("2024-12"), "2025-01-01");
}

}  // namespace
}  // namespace trustsql::semparse
