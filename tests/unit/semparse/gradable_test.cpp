#include "semparse/question/gradable.hpp"

#include "semparse/question/extremes.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/units.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(Gradable, FormsOfAdjectivesAndVerbs) {
  const auto base = [](const char* text) -> std::string_view {
    const auto question = read_question(text);
    const auto* found = gradable_of(question.words.front());
    return found == nullptr ? std::string_view() : found->word;
  };
  EXPECT_EQ(base("cheapest"), "cheap");
  EXPECT_EQ(base("cheaper"), "cheap");
  EXPECT_EQ(base("expensive"), "expensive");
  EXPECT_EQ(base("weighs"), "weigh");
  EXPECT_EQ(base("product"), "");
  EXPECT_EQ(base("'cheap' things"), "");
}

TEST(Gradable, WhatIsGraded) {
  const auto graded = [](const char* text, std::size_t at) -> std::string_view {
    const auto question = read_question(text);
    const auto* found = graded_at(question, at);
    return found == nullptr ? std::string_view() : found->word;
  };
  EXPECT_EQ(graded("the most expensive product", 1), "expensive");
  EXPECT_EQ(graded("the heaviest parcel", 1), "heavy");
  EXPECT_EQ(graded("more expensive than 5", 0), "expensive");
  EXPECT_EQ(graded("the most products", 1), "");
  EXPECT_EQ(graded("more cost", 0), "");  // no adjective
}

TEST(Gradable, Columns) {
  const ParserGround ground(
      "CREATE TABLE parcel(id INTEGER PRIMARY KEY, weight_kg REAL, unit_cost REAL, price_code TEXT, speed REAL, "
      "lap_time REAL, budget_millions REAL, daily_rate REAL, birth_rate REAL);"
      "INSERT INTO parcel VALUES (1, 2.5, 3, 'A', 20, 9.5, 7, 5, 6), (2, 4, 8, 'B', 25, 8, 9, 7, 8)");
  const auto column = [&ground](const char* name) { return ground.domain().column(ground.column("parcel", name)); };
  const auto question = read_question("expensive heavy");
  const auto& expensive = *gradable_of(question.words[0]);
  EXPECT_TRUE(measures(expensive, column("unit_cost")));
  EXPECT_FALSE(measures(expensive, column("weight_kg")));
  EXPECT_TRUE(measures(expensive, column("daily_rate")));
  EXPECT_FALSE(measures(expensive, column("birth_rate")));
  EXPECT_FALSE(measures(expensive, column("price_code")));
  EXPECT_TRUE(measures(*gradable_of(question.words[1]), column("weight_kg")));
  const auto asked = [&](const char* text, std::size_t at, const char* name) {
    return asked_extreme(read_question(text), at, column(name));
  };
  EXPECT_EQ(asked("the most expensive", 1, "unit_cost"), Extreme::greatest);
  EXPECT_EQ(asked("the least expensive", 1, "unit_cost"), Extreme::least);
  EXPECT_EQ(asked("the most affordable", 1, "unit_cost"), Extreme::least);
  EXPECT_EQ(asked("the fastest", 1, "speed"), Extreme::greatest);
  EXPECT_EQ(asked("the fastest", 1, "lap_time"), Extreme::least);
  EXPECT_TRUE(may_be_in(column("weight_kg"), unit_of("kilograms")));
  EXPECT_FALSE(may_be_in(column("weight_kg"), unit_of("pounds")));
  EXPECT_TRUE(may_be_in(column("unit_cost"), unit_of("dollars")));
  EXPECT_EQ(unit_of("cost"), "");
  EXPECT_TRUE(is_scaled(column("budget_millions"), scale_of("million")));
  EXPECT_FALSE(is_scaled(column("budget_millions"), scale_of("thousand")));
}

TEST(Gradable, Bounds) {
  const auto bound = [](const char* text) {
    const auto question = read_question(text);
    std::size_t at = 0;
    while (!question.words[at].number) ++at;
    return bound_of(question, {at, at + 1});
  };
  EXPECT_EQ(bound("more expensive than 3"), Bound::more);
  EXPECT_EQ(bound("less expensive than 3"), Bound::less);
  EXPECT_EQ(bound("cheaper than 3"), Bound::less);
  EXPECT_EQ(bound("faster than 3"), Bound::more);
  EXPECT_EQ(bound("slower than 3"), Bound::less);
  EXPECT_EQ(bound("over $90 a day"), Bound::more);
  EXPECT_EQ(bound("after 1980"), Bound::more);
  EXPECT_EQ(bound("before 1980"), Bound::less);
  EXPECT_EQ(bound("since 1980"), Bound::at_least);
  EXPECT_EQ(bound("after 3"), Bound::none);
  EXPECT_EQ(bound("2022 or later"), Bound::at_least);
  EXPECT_EQ(bound("2022 onwards"), Bound::at_least);
  EXPECT_EQ(bound("2022 or earlier"), Bound::at_most);
  EXPECT_EQ(bound("after 2013 or before 2008"), Bound::more);
}

}  // namespace
}  // namespace trustsql::semparse
