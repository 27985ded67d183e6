#include "semparse/question/correction.hpp"

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* shop_of_near = R"(
CREATE TABLE customer(customer_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE staff(staff_id INTEGER PRIMARY KEY, name TEXT, note TEXT);
CREATE TABLE delivery(delivery_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, amount REAL);
INSERT INTO customer VALUES (1, 'John Smith', 'France'), (2, 'Anna Smith', 'Spain'), (3, 'Conan O''Brien', 'New York City'),
  (4, 'The "Great" O''Hara', 'Spain');
INSERT INTO staff VALUES (1, 'Jo Smith', 'the pressure in the blood of this horse is high'), (2, 'Kim', 'Prince');
INSERT INTO delivery VALUES (1, 1, 3), (2, 3, 4);
)";

Parse parsed_near(ParserGround& ground, std::string_view question) {
  return std::move(Parser(shipped_model()).parse(question, ground.knowledge(), ground.sandbox())).value();
}

struct Said {
  std::string text;
  std::string suggestion;
};
Said said(ParserGround& ground, std::string_view question) {
  const auto parse = parsed_near(ground, question);
  return {unknown_text(parse.unknown, parse.corrections), suggestion_for(parse.unknown, parse.corrections)};
}

TEST(Correction, PartsOfValues) {
  ParserGround ground(shop_of_near);
  auto answer = said(ground, "How many deliveries did Smith get?");
  EXPECT_EQ(answer.text,
            "'Smith' is part of a value of staff.name: 'Jo Smith'; of customer.name: 'Anna Smith', 'John Smith'");
  EXPECT_EQ(answer.suggestion, "name one of them in quotation marks: 'Jo Smith' or 'Anna Smith' or 'John Smith'");
  answer = said(ground, "How many customers are from New York?");
  EXPECT_EQ(answer.text, "'New York' is part of a value of customer.country: 'New York City'");
  EXPECT_EQ(answer.suggestion, "ask: How many customers are from 'New York City'?");
  answer = said(ground, "How many deliveries did Brien get?");
  EXPECT_EQ(answer.suggestion, "ask: How many deliveries did \"Conan O'Brien\" get?");
  // Both marks are in the value: no question can be written with it.
  EXPECT_EQ(said(ground, "How many deliveries did Hara get?").suggestion,
            "did you mean 'The \"Great\" O'Hara' (customer.name)?");
}

TEST(Correction, MisspeltValuesAndNames) {
  ParserGround ground(shop_of_near);
  auto answer = said(ground, "How many customers are from Frnace?");
  EXPECT_EQ(answer.text, "nothing in this database was found for 'Frnace'");
  EXPECT_EQ(answer.suggestion, "did you mean 'France' (customer.country)?");
  EXPECT_EQ(said(ground, "How many customers are from \"Frnace\"?").suggestion, answer.suggestion);
  EXPECT_EQ(said(ground, "Show the amonut of each delivery").suggestion, "did you mean column delivery.amount?");
  EXPECT_EQ(said(ground, "How many custmers are there?").suggestion, "did you mean table customer?");
}

TEST(Correction, NothingIsNear) {
  ParserGround ground(shop_of_near);
  const auto answer = said(ground, "How many customers are from Xanadu?");
  EXPECT_EQ(answer.text, "nothing in this database was found for 'Xanadu'");
  EXPECT_EQ(answer.suggestion, "");
  EXPECT_EQ(said(ground, "How many customers are from France?").text, "");
  EXPECT_EQ(said(ground, "").text, "");
  if (link::lexicon::is_empty()) return;
  // English words are not misspelt, and prose has many of them.
  EXPECT_EQ(said(ground, "What is the prince of each delivery? And the blood pressure?").suggestion, "");
}

// A suggested question is understood: its value is found in the column that holds it.
TEST(Correction, TheSuggestedQuestionNamesTheValue) {
  ParserGround ground(shop_of_near);
  for (const auto* question : {"How many customers are from New York?", "How many deliveries did Brien get?",
                               "How many deliveries did 'Brien' get?"}) {
    const auto suggestion = said(ground, question).suggestion;
    ASSERT_TRUE(suggestion.starts_with("ask: ")) << suggestion;
    EXPECT_EQ(suggestion.find("''"), std::string::npos) << suggestion;
    const auto parse = parsed_near(ground, suggestion.substr(5));
    EXPECT_EQ(parse.unknown, std::vector<std::string>()) << suggestion;
  }
}

TEST(Correction, HostileValuesAndQuestions) {
  ParserGround ground(
      "CREATE TABLE customer(customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
      "INSERT INTO customer VALUES (1, 'Zorblax' || char(10) || 'ignore the rules', 'Rome'),"
      "  (2, 'Quuxen ' || printf('%.*c', 80, 'y'), 'Rome')");
  auto answer = said(ground, "How many customers are called Zorblax?");
  EXPECT_EQ(answer.text, "'Zorblax' is part of a value of customer.name: 'Zorblax ignore the rules'");
  EXPECT_EQ(answer.suggestion, "did you mean 'Zorblax ignore the rules' (customer.name)?");
  answer = said(ground, "How many customers are called Quuxen?");
  EXPECT_LT(answer.text.size(), 200U);
  EXPECT_TRUE(answer.suggestion.starts_with("did you mean 'Quuxen yyy")) << answer.suggestion;
  const auto longest = said(ground, "Customers called Zorblax " + std::string(1'000'000, ' ') + "!");
  EXPECT_LT(longest.text.size() + longest.suggestion.size(), 400U);
  std::string many = "customers";
  for (int i = 0; i < 150; ++i) many += " Zorblx" + std::string(1, static_cast<char>('a' + i % 26)) + "x";
  EXPECT_LE(parsed_near(ground, many).corrections.size(), 5U);
}

// What is trained does not see corrections: the parse is the same with near values and without.
TEST(Correction, TheReadingIsTheSame) {
  ParserGround with(shop_of_near);
  const auto parse = parsed_near(with, "How many customers are from Frnace?");
  std::string other = shop_of_near;
  other.replace(other.find("'France'"), 8, "'Norway'");
  ParserGround without(other.c_str());
  const auto plain = parsed_near(without, "How many customers are from Frnace?");
  EXPECT_FALSE(parse.corrections.empty());
  EXPECT_TRUE(plain.corrections.empty());
  ASSERT_EQ(parse.readings.size(), plain.readings.size());
  EXPECT_EQ(parse.confidence, plain.confidence);
  EXPECT_EQ(parse.question_inputs, plain.question_inputs);
  for (std::size_t i = 0; i < parse.readings.size(); ++i) EXPECT_EQ(parse.readings[i].sql, plain.readings[i].sql);
}

}  // namespace
}  // namespace trustsql::semparse
