#include "semparse/question/cues.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace trustsql::semparse {
namespace {

// The kinds of cues of a question, and the words of each.
std::map<Cue, std::string> cues_of(const char* text) {
  const auto question = read_question(text);
  std::map<Cue, std::string> found;
  for (const auto& mention : find_cues(question)) found[mention.cue] = question.text_of(mention.span);
  return found;
}

TEST(Cues, AggregatesAndSuperlatives) {
  EXPECT_EQ(cues_of("What is the average age?")[Cue::average], "average");
  EXPECT_EQ(cues_of("How many singers are there?")[Cue::count], "How many");
  EXPECT_EQ(cues_of("the oldest singer")[Cue::highest], "oldest");
  EXPECT_EQ(cues_of("the youngest singer")[Cue::lowest], "youngest");
  EXPECT_EQ(cues_of("top 3 songs")[Cue::top], "top");
}

TEST(Cues, SuperlativesOfAnOrder) {
  const auto cheapest = cues_of("all products, cheapest first");
  EXPECT_EQ(cheapest.count(Cue::order), 1U);
  EXPECT_EQ(cheapest.count(Cue::lowest), 0U);
  EXPECT_EQ(cheapest.count(Cue::descending), 0U);
  EXPECT_EQ(cues_of("products by price, highest first").count(Cue::descending), 1U);
  EXPECT_EQ(cues_of("show the newest orders first").count(Cue::order), 1U);
  EXPECT_EQ(cues_of("the most common first name of the actors").count(Cue::order), 0U);
  EXPECT_EQ(cues_of("who was the youngest hired first").count(Cue::order), 0U);
}

TEST(Cues, OrderOfTheAlphabet) {
  const auto forwards = cues_of("the names from A to Z");
  EXPECT_EQ(forwards.count(Cue::order), 1U);
  EXPECT_EQ(forwards.count(Cue::descending), 0U);
  const auto backwards = cues_of("the names from Z to A");
  EXPECT_EQ(backwards.count(Cue::order), 1U);
  EXPECT_EQ(backwards.count(Cue::descending), 1U);
}

TEST(Cues, WordsThatOnlyLookLikeSuperlatives) {
  EXPECT_TRUE(cues_of("Which guest has an interest in the forest?").empty());
}

TEST(Cues, AtLeastAndAtMostCompare) {
  const auto least = cues_of("singers with at least 3 songs");
  EXPECT_EQ(least.count(Cue::more), 1U);
  EXPECT_EQ(least.count(Cue::lowest), 0U);
  EXPECT_EQ(cues_of("at most 3 songs").count(Cue::less), 1U);
  EXPECT_EQ(cues_of("the least songs").count(Cue::lowest), 1U);
}

TEST(Cues, Comparisons) {
  EXPECT_EQ(cues_of("older than 30")[Cue::more], "older than");
  EXPECT_EQ(cues_of("cheaper than 30")[Cue::less], "cheaper than");
  EXPECT_EQ(cues_of("higher than the average")[Cue::than_average], "than the average");
  EXPECT_EQ(cues_of("more than 30 or less").count(Cue::than_average), 0U);
}

TEST(Cues, NegationAndQuotation) {
  EXPECT_EQ(cues_of("singers that don't sing").count(Cue::negation), 1U);
  EXPECT_EQ(cues_of("singers without songs").count(Cue::negation), 1U);
  EXPECT_TRUE(cues_of("the song \"not the average\"").empty());
}

TEST(Cues, FirstAndLastBehindAVerb) {
  EXPECT_EQ(cues_of("Who was hired last?")[Cue::highest], "last");
  EXPECT_EQ(cues_of("which band was formed first")[Cue::lowest], "first");
  EXPECT_EQ(cues_of("Which book was written most recently?").count(Cue::highest), 1U);
  EXPECT_EQ(cues_of("List the products, cheapest first.").count(Cue::highest), 0U);
  EXPECT_EQ(cues_of("sort the names, last name first").count(Cue::lowest), 0U);
}

}  // namespace
}  // namespace trustsql::semparse
