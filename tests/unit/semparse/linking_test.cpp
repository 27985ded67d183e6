#include "semparse/linking.hpp"

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(Linking, NamesValuesAndNumbers) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto question = read_question("Which customers from new york are older than 30 and bought a \"Lamp\"?");
  const auto linking = linker.link(question);
  const auto& customers = linking.tables[static_cast<std::size_t>(ground.table("customer"))];
  ASSERT_FALSE(customers.empty());
  EXPECT_TRUE(customers.front().whole());
  ASSERT_EQ(linking.values.size(), 2U);
  EXPECT_EQ(linking.values[0].text, "new york");
  ASSERT_EQ(linking.values[0].cells.size(), 1U);
  EXPECT_EQ(linking.values[0].cells.front().column, ground.column("customer", "city"));
  EXPECT_EQ(linking.values[0].cells.front().text, "New York");
  EXPECT_TRUE(linking.values[1].quoted);
  ASSERT_EQ(linking.numbers.size(), 1U);
  EXPECT_EQ(linking.numbers.front().value, Value(std::int64_t{30}));
}

TEST(Linking, ARangeIsOneNumber) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("products with a price between 5 and 20.5"));
  ASSERT_EQ(linking.numbers.size(), 1U);
  EXPECT_EQ(linking.numbers.front().value, Value(std::int64_t{5}));
  EXPECT_EQ(linking.numbers.front().second, Value(20.5));
}

TEST(Linking, WordsMatchByFormAndMeaning) {
  WordMatcher matcher;
  const auto word = [](const char* text) { return read_question(text).words.front(); };
  EXPECT_EQ(matcher.match(word("singers"), "singer"), WordMatch::form);
  EXPECT_EQ(matcher.match(word("dep"), "department"), WordMatch::none);  // too short to be sure
  EXPECT_EQ(matcher.match(word("depart"), "department"), WordMatch::abbreviation);
  EXPECT_EQ(matcher.match(word("banana"), "department"), WordMatch::none);
}

TEST(Linking, CellsThatDoNotFitAreLeftOut) {
  ParserGround ground;
  ValueIndexOptions options;
  options.max_value_bytes = 4;
  const auto index = ValueIndex::build(ground.domain(), ground.sandbox(), options);
  ASSERT_TRUE(index.ok());
  EXPECT_FALSE(index->find("lamp").empty());
  EXPECT_TRUE(index->find("chair").empty());
}

}  // namespace
}  // namespace trustsql::semparse
