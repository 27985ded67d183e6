#include "semparse/candidates/candidates.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "semparse/equal_readings.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

std::vector<std::string> candidates_for(const ParserGround& ground, std::string_view text) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  const auto model = shipped_model();
  const QuestionView view(ground.domain(), question, linking, model->vocabulary);
  std::vector<std::string> all;
  for (const auto& candidate : find_candidates(*model, view)) all.push_back(candidate.sql);
  return all;
}

bool has(const std::vector<std::string>& candidates, std::string_view sql) {
  return std::find(candidates.begin(), candidates.end(), sql) != candidates.end();
}

bool mentions(const std::vector<std::string>& candidates, std::string_view part) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [part](const std::string& sql) { return sql.find(part) != std::string::npos; });
}

TEST(Candidates, PeopleAreNamedByFirstAndLastName) {
  const ParserGround ground(
      "CREATE TABLE pupil(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, age INTEGER);"
      "INSERT INTO pupil VALUES (1, 'Ann', 'Lee', 12), (2, 'Bob', 'Ray', 14)");
  const auto pupils = candidates_for(ground, "Which pupils are older than 12?");
  EXPECT_TRUE(has(pupils, "SELECT first_name, last_name FROM pupil WHERE age > 12"));
  EXPECT_FALSE(has(pupils, "SELECT first_name FROM pupil WHERE age > 12"));
  EXPECT_FALSE(has(pupils, "SELECT last_name FROM pupil WHERE age > 12"));
  EXPECT_TRUE(has(candidates_for(ground, "List the first names of the pupils."), "SELECT first_name FROM pupil"));
}

TEST(Candidates, YearsOfDates) {
  const ParserGround ground;
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there in 2024?"),
                  "SELECT count(*) FROM purchase WHERE day LIKE '2024%'"));
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there after 2024?"),
                  "SELECT count(*) FROM purchase WHERE day >= '2025-01-01'"));
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there before 2024?"),
                  "SELECT count(*) FROM purchase WHERE day < '2024-01-01'"));
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there between 2020 and 2024?"),
                  "SELECT count(*) FROM purchase WHERE day BETWEEN '2020-01-01' AND '2024-12-31'"));
  EXPECT_FALSE(mentions(candidates_for(ground, "How many purchases have more than 3 products?"), "day > 3"));
}

// No text is cheap, and no letters are a price.
TEST(Candidates, OrdersOfSuperlatives) {
  const ParserGround ground;
  const auto cheapest = candidates_for(ground, "List the titles of the products, cheapest first.");
  EXPECT_FALSE(cheapest.empty());
  EXPECT_FALSE(mentions(cheapest, "ORDER BY title"));
  EXPECT_FALSE(mentions(cheapest, "ORDER BY category"));
  const auto backwards = candidates_for(ground, "List the titles of the products from Z to A.");
  EXPECT_TRUE(has(backwards, "SELECT title FROM product ORDER BY title DESC"));
}

TEST(Candidates, EachEndNeedsItsWord) {
  const ParserGround ground;
  const auto both = candidates_for(ground, "What are the average and minimum age of the customers?");
  EXPECT_TRUE(mentions(both, "min(age)"));
  EXPECT_FALSE(mentions(both, "max(age)"));
  EXPECT_FALSE(mentions(candidates_for(ground, "What is the maximum price of the products?"), "min(price)"));
  // "Oldest" may be either end.
  EXPECT_TRUE(mentions(candidates_for(ground, "What is the age of the oldest customer?"), "max(age)"));
}

TEST(Candidates, LettersAreSorted) {
  const ParserGround ground;
  const auto products = candidates_for(ground, "List the titles and categories of the products in alphabetical order.");
  EXPECT_TRUE(has(products, "SELECT title, category FROM product ORDER BY title"));
  EXPECT_FALSE(mentions(products, "ORDER BY price"));
  EXPECT_FALSE(has(products, "SELECT title, category FROM product ORDER BY category"));
  EXPECT_TRUE(mentions(candidates_for(ground, "List the titles of the products in alphabetical order of category."),
                       "ORDER BY category"));
}

TEST(Candidates, NegationsAreNotLeftOut) {
  const ParserGround ground;
  for (const auto* question : {"Which customers have not made any purchase?", "customers that are not from Paris",
                               "How many customers are without a purchase?"})
    for (const auto& sql : candidates_for(ground, question))
      EXPECT_TRUE(sql.find("NOT IN") != std::string::npos || sql.find("EXCEPT") != std::string::npos ||
                  sql.find("<>") != std::string::npos || sql.find("NOT LIKE") != std::string::npos ||
                  sql.find("NULL") != std::string::npos)
          << sql;
}

TEST(Candidates, ComparisonsWithAnAverage) {
  const ParserGround ground;
  const auto older = candidates_for(ground, "Which customers are older than the average age?");
  EXPECT_TRUE(has(older, "SELECT name FROM customer WHERE age > (SELECT avg(age) FROM customer)"));
  EXPECT_FALSE(mentions(older, "age >= (SELECT"));
  EXPECT_FALSE(mentions(older, "age < (SELECT"));
}

TEST(Candidates, KeysAreNotAdded) {
  const ParserGround ground;
  EXPECT_FALSE(mentions(candidates_for(ground, "What is the total number of customers?"), "sum(customer_id)"));
}

// Words of direction choose one of two ways to the same table.
TEST(Candidates, WordsChooseJoins) {
  const ParserGround ground(
      "CREATE TABLE airport(code TEXT PRIMARY KEY, city TEXT);"
      "CREATE TABLE flight(id INTEGER PRIMARY KEY, origin TEXT REFERENCES airport, destination TEXT REFERENCES "
      "airport);"
      "INSERT INTO airport VALUES ('OSL', 'Oslo'), ('BGO', 'Bergen');"
      "INSERT INTO flight VALUES (1, 'OSL', 'BGO'), (2, 'BGO', 'OSL')");
  const auto arriving = candidates_for(ground, "How many flights arrive in Oslo?");
  EXPECT_TRUE(mentions(arriving, "T2.destination = T1.code"));
  EXPECT_FALSE(mentions(arriving, "T2.origin = T1.code"));
  const auto leaving = candidates_for(ground, "How many flights leave from Oslo?");
  EXPECT_TRUE(mentions(leaving, "T2.origin = T1.code"));
  EXPECT_FALSE(mentions(leaving, "T2.destination = T1.code"));
}

TEST(Candidates, OperatorsNeedWords) {
  const ParserGround ground;
  const auto candidates = candidates_for(ground, "List the titles of the products and their price.");
  EXPECT_TRUE(has(candidates, "SELECT title, price FROM product"));
  for (const auto* part : {"SELECT sum(", " LIMIT 1", "EXCEPT", "NOT IN"})
    EXPECT_FALSE(mentions(candidates, part)) << part;
  EXPECT_FALSE(mentions(candidates_for(ground, "What is the average price of the products?"), "avg(title)"));
}

TEST(Candidates, EachOperatorNeedsItsOwnWord) {
  const ParserGround ground;
  EXPECT_FALSE(mentions(candidates_for(ground, "How many products are out of price?"), "SELECT avg("));
  const auto titles = candidates_for(ground, "List the titles of the products with their price.");
  EXPECT_FALSE(mentions(titles, "ORDER BY"));
  EXPECT_TRUE(has(titles, "SELECT title, price FROM product"));
  const auto at_least = candidates_for(ground, "products with a price of at least 10");
  EXPECT_FALSE(mentions(at_least, "max("));  // "least" is no superlative here
  EXPECT_FALSE(mentions(at_least, "price > 10"));
  EXPECT_TRUE(mentions(at_least, "price >= 10"));
  EXPECT_FALSE(mentions(candidates_for(ground, "products in the category home"), "LIKE"));
  EXPECT_FALSE(mentions(candidates_for(ground, "products cheaper than 20"), "SELECT * FROM product"));
}

constexpr const char* fleet =
    "CREATE TABLE aircraft(reg TEXT PRIMARY KEY, model TEXT, year_built INTEGER, age INTEGER, hours INTEGER);"
    "INSERT INTO aircraft VALUES ('A', 'Dash', 1990, 36, 10), ('B', 'Otter', 2004, 22, 90), ('C', 'Arrow', 2020, 6, 5)";

TEST(Candidates, TheOldestHasTheLeastYear) {
  const ParserGround ground(fleet);
  const auto oldest = candidates_for(ground, "what is the oldest aircraft");
  EXPECT_TRUE(mentions(oldest, "ORDER BY year_built LIMIT 1"));
  EXPECT_FALSE(mentions(oldest, "year_built DESC LIMIT"));
  for (const auto* wrong : {"SELECT max(year_built) FROM aircraft", "SELECT min(year_built) FROM aircraft",
                            "SELECT year_built FROM aircraft ORDER BY year_built LIMIT 1"})
    EXPECT_FALSE(has(oldest, wrong)) << wrong;
  const auto youngest = candidates_for(ground, "which aircraft has the youngest age");
  EXPECT_FALSE(mentions(youngest, "age DESC LIMIT"));
}

TEST(Candidates, SuperlativesInFrontOfFirstAreOrders) {
  const ParserGround ground(fleet);
  const auto newest = candidates_for(ground, "List the models of the aircraft, newest first");
  ASSERT_FALSE(newest.empty());
  for (const auto& sql : newest) {
    EXPECT_NE(sql.find("ORDER BY"), std::string::npos) << sql;
    EXPECT_EQ(sql.find("LIMIT 1"), std::string::npos) << sql;
  }
  EXPECT_TRUE(has(newest, "SELECT model FROM aircraft ORDER BY year_built DESC"));
  EXPECT_FALSE(has(newest, "SELECT model FROM aircraft ORDER BY year_built"));
  EXPECT_TRUE(has(candidates_for(ground, "List the models of the aircraft, oldest first"),
                  "SELECT model FROM aircraft ORDER BY year_built"));
}

TEST(Candidates, NegatedValues) {
  const ParserGround ground;
  const auto others = candidates_for(ground, "customers that do not live in Paris");
  EXPECT_TRUE(mentions(others, "city <> 'Paris'"));
  for (const auto& sql : others) EXPECT_NE(sql.find("'Paris'"), std::string::npos) << sql;
  EXPECT_FALSE(has(others, "SELECT name FROM customer WHERE city = 'Paris'"));
}

TEST(Candidates, WhatIsComparedIsNotReturned) {
  const ParserGround ground;
  for (const auto& sql : candidates_for(ground, "products with a price over 20"))
    EXPECT_EQ(sql.find("SELECT price FROM product WHERE"), std::string::npos) << sql;
  EXPECT_TRUE(mentions(candidates_for(ground, "prices of the products over 20"), "SELECT price FROM product WHERE"));
}

TEST(Candidates, OneColumnHasNotTwoValues) {
  const ParserGround ground;
  const auto candidates = candidates_for(ground, "customers from Paris and New York");
  EXPECT_FALSE(mentions(candidates, "city = 'Paris' AND city = 'New York'"));
  EXPECT_FALSE(mentions(candidates, "city = 'New York' AND city = 'Paris'"));
}

TEST(Candidates, WhoIsNoDate) {
  const ParserGround ground;
  const auto candidates = candidates_for(ground, "Who bought a Lamp?");
  EXPECT_TRUE(mentions(candidates, "name FROM"));
  EXPECT_FALSE(mentions(candidates, "SELECT quantity"));
  EXPECT_FALSE(mentions(candidates, "SELECT price"));
}

TEST(Candidates, WhenAsksForATime) {
  const ParserGround ground;
  for (const auto& sql : candidates_for(ground, "When did Ann buy a product?"))
    EXPECT_NE(sql.find("day"), std::string::npos) << sql;
}

// What an adjective measures, where the question has a word for nothing else.
TEST(Candidates, AdjectivesMeasureColumns) {
  const ParserGround ground;
  const auto cheapest = candidates_for(ground, "Which product is the cheapest?");
  EXPECT_TRUE(has(cheapest, "SELECT title FROM product ORDER BY price LIMIT 1"));
  const auto expensive = candidates_for(ground, "Which product is the most expensive?");
  EXPECT_TRUE(has(expensive, "SELECT title FROM product ORDER BY price DESC LIMIT 1"));
  for (const auto* part : {"ORDER BY count", "ORDER BY T2.quantity", "price LIMIT 1"})
    EXPECT_FALSE(mentions(expensive, part)) << part;
  const auto dear = candidates_for(ground, "Which products are more expensive than 20?");
  EXPECT_TRUE(has(dear, "SELECT title FROM product WHERE price > 20"));
  for (const auto* part : {"WHERE quantity", "HAVING count", "WHERE price >= 20", "WHERE price < 20"})
    EXPECT_FALSE(mentions(dear, part)) << part;
}

TEST(Candidates, AgesAreNoYears) {
  const ParserGround ground(
      "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER);"
      "INSERT INTO member VALUES (1, 'Ann', 1980), (2, 'Bob', 1990)");
  EXPECT_FALSE(mentions(candidates_for(ground, "Which members are older than 30?"), "birth_year > 30"));
}

TEST(Candidates, MostOfWhatAVerbNames) {
  const ParserGround ground(
      "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, salary INTEGER, age INTEGER);"
      "INSERT INTO player VALUES (1, 'Ann', 100, 20), (2, 'Bob', 200, 30)");
  const auto most = candidates_for(ground, "Which player earns the most?");
  EXPECT_TRUE(has(most, "SELECT name FROM player ORDER BY salary DESC LIMIT 1"));
  EXPECT_FALSE(mentions(most, "ORDER BY count"));
  EXPECT_FALSE(mentions(most, "ORDER BY age"));
}

TEST(Candidates, WhatIsComparedIsNotCounted) {
  const ParserGround ground;
  const auto products = candidates_for(ground, "Which products have a price of more than 25?");
  EXPECT_TRUE(has(products, "SELECT title FROM product WHERE price > 25"));
  EXPECT_FALSE(mentions(candidates_for(ground, "products that cost more than 25"), "HAVING count"));
}

TEST(Candidates, YearsAreNoAmounts) {
  const ParserGround ground;
  const auto purchases = candidates_for(ground, "How many purchases were there in 2024?");
  EXPECT_FALSE(mentions(purchases, "quantity = 2024"));
  EXPECT_FALSE(mentions(purchases, "price = 2024"));
}

TEST(Candidates, MonthsOfDates) {
  const ParserGround ground;
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there in May 2024?"),
                  "SELECT count(*) FROM purchase WHERE day LIKE '2024-05%'"));
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there after May 2024?"),
                  "SELECT count(*) FROM purchase WHERE day >= '2024-06-01'"));
  EXPECT_TRUE(has(candidates_for(ground, "How many purchases were there before 2 May 2024?"),
                  "SELECT count(*) FROM purchase WHERE day < '2024-05-02'"));
}

TEST(Candidates, UnitsAndMillions) {
  const ParserGround ground(
      "CREATE TABLE club(id INTEGER PRIMARY KEY, name TEXT, budget_millions REAL, members INTEGER);"
      "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, weight_kg REAL);"
      "INSERT INTO club VALUES (1, 'Ajax', 80, 300), (2, 'Celtic', 40, 500);"
      "INSERT INTO player VALUES (1, 'Ann', 60), (2, 'Bob', 80)");
  EXPECT_TRUE(has(candidates_for(ground, "List the names of the clubs with a budget over 50 million."),
                  "SELECT name FROM club WHERE budget_millions > 50"));
  EXPECT_TRUE(has(candidates_for(ground, "List the names of the clubs with more than 2 million members."),
                  "SELECT name FROM club WHERE members > 2000000"));
  EXPECT_TRUE(mentions(candidates_for(ground, "players with a weight over 60 kg"), "weight_kg > 60"));
  EXPECT_FALSE(mentions(candidates_for(ground, "players with a weight over 60 pounds"), "WHERE weight_kg > 60"));
}

TEST(Candidates, FlagsAreConditions) {
  const ParserGround ground(
      "CREATE TABLE dish(id INTEGER PRIMARY KEY, name TEXT, vegetarian TEXT, is_spicy INTEGER, has_nuts TEXT);"
      "INSERT INTO dish VALUES (1, 'Soup', 'yes', 1, 'no'), (2, 'Steak', 'no', 0, 'no'), (3, 'Curry', 'yes', 1, "
      "'yes')");
  EXPECT_TRUE(mentions(candidates_for(ground, "How many vegetarian dishes are there?"), "vegetarian = 'yes'"));
  EXPECT_TRUE(mentions(candidates_for(ground, "How many spicy dishes are there?"), "is_spicy = 1"));
  const auto without = candidates_for(ground, "Which dishes are without nuts?");
  EXPECT_TRUE(mentions(without, "has_nuts = 'no'"));
  EXPECT_FALSE(has(without, "SELECT name FROM dish WHERE has_nuts = 'yes'"));
}

TEST(Candidates, FlagsWithoutMarksAreConditionsWhereTheyAreSaidOfRows) {
  const ParserGround ground(
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, reason TEXT, paid INTEGER, follow_up_needed INTEGER);"
      "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, neutered INTEGER, requires_anaesthetic INTEGER, "
      "runs_in_winter INTEGER);"
      "INSERT INTO visit VALUES (1, 'fever', 1, 0), (2, 'limp', 0, 1), (3, 'check', NULL, 1);"
      "INSERT INTO pet VALUES (1, 'Ann', 0, 1, 0), (2, 'Bob', 1, 0, 1)");
  const auto said = [&ground](const char* question, const char* condition) {
    const auto candidates = candidates_for(ground, question);
    return mentions(candidates, condition) && !mentions(candidates, "<> 1") && !mentions(candidates, "IS NULL");
  };
  EXPECT_TRUE(said("How many visits are paid?", "paid = 1"));
  EXPECT_TRUE(said("How many unpaid visits are there?", "paid = 0"));
  EXPECT_TRUE(said("How many visits need a follow-up?", "follow_up_needed = 1"));
  EXPECT_TRUE(said("How many visits need no follow-up?", "follow_up_needed = 0"));
  EXPECT_TRUE(said("Which pets do not require an anaesthetic?", "requires_anaesthetic = 0"));
  EXPECT_TRUE(said("Names of pets that have not been neutered yet", "neutered = 0"));
  EXPECT_TRUE(said("Which pets aren't neutered?", "neutered = 0"));
  EXPECT_TRUE(said("Names of pets that run in the winter", "runs_in_winter = 1"));
  EXPECT_FALSE(mentions(candidates_for(ground, "Show the name and neutered of each pet."), "neutered = 1"));
}

TEST(Candidates, RowsWithoutAValueAreNoGroupThatIsPicked) {
  const ParserGround ground(
      "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, company TEXT);"
      "INSERT INTO member VALUES (1, 'Ann', 'Acme'), (2, 'Bob', 'Acme'), (3, 'Cy', NULL), (4, 'Di', NULL)");
  const auto picked = candidates_for(ground, "Which companies have more than one member?");
  EXPECT_TRUE(has(picked, "SELECT company FROM member WHERE company IS NOT NULL GROUP BY company HAVING count(*) > 1"));
  EXPECT_FALSE(has(picked, "SELECT company FROM member GROUP BY company HAVING count(*) > 1"));
  EXPECT_TRUE(has(candidates_for(ground, "How many members are there for each company?"),
                  "SELECT company, count(*) FROM member GROUP BY company"));
}

TEST(Candidates, WhatIsMissing) {
  const ParserGround ground(
      "CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT, phone TEXT);"
      "CREATE TABLE loan(id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES reader, return_date TEXT);"
      "INSERT INTO reader VALUES (1, 'Ann', NULL), (2, 'Bob', '555');"
      "INSERT INTO loan VALUES (1, 1, '2024-05-01'), (2, 1, NULL), (3, 2, '2024-06-01')");
  const auto readers = candidates_for(ground, "Which readers have no phone?");
  EXPECT_FALSE(mentions(readers, "NOT IN"));
  EXPECT_FALSE(has(readers, "SELECT name FROM reader"));
  EXPECT_FALSE(has(candidates_for(ground, "How many loans have not been returned?"), "SELECT count(*) FROM loan"));
  EXPECT_TRUE(mentions(candidates_for(ground, "Which readers have no loans?"), "NOT IN"));
}

TEST(Candidates, WhichIsNoCount) {
  const ParserGround ground;
  EXPECT_FALSE(mentions(candidates_for(ground, "Which customers have not made any purchase?"), "SELECT count("));
}

TEST(Candidates, PeopleAreNotToldApartByFirstNames) {
  const ParserGround ground(
      "CREATE TABLE reader(card INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);"
      "CREATE TABLE loan(id INTEGER PRIMARY KEY, card INTEGER REFERENCES reader);"
      "INSERT INTO reader VALUES (1, 'Ann', 'Lee'), (2, 'Ann', 'Ray'); INSERT INTO loan VALUES (1, 1), (2, 2)");
  EXPECT_FALSE(mentions(candidates_for(ground, "Which reader has the most loans?"), "GROUP BY T1.first_name"));
}

TEST(EqualReadings, AreJoined) {
  ParserGround ground;
  std::vector<Reading> readings;
  const auto add = [&](const char* sql, float probability) {
    const auto rows = ground.sandbox().run(sql);
    ASSERT_TRUE(rows.ok()) << sql;
    readings.push_back({sql, {}, probability, outcome_of(*rows)});
  };
  add("SELECT city, avg(age) FROM customer GROUP BY city", 0.4F);
  add("SELECT name FROM customer WHERE age > 30", 0.3F);
  add("SELECT avg(age), city FROM customer GROUP BY city", 0.2F);
  add("SELECT name FROM customer WHERE age >= 31", 0.05F);          // the same rows here, and for whole numbers alone
  add("SELECT DISTINCT name FROM customer WHERE age > 30", 0.03F);  // the same rows here
  readings.push_back({"SELECT", {}, 0.02F});
  join_equal_readings(ground.catalog(), readings);
  ASSERT_EQ(readings.size(), 5U);
  EXPECT_EQ(readings[0].sql, "SELECT city, avg(age) FROM customer GROUP BY city");
  EXPECT_NEAR(readings[0].probability, 0.6, 1e-6);
  EXPECT_NEAR(readings[1].probability, 0.3, 1e-6);
}

}  // namespace
}  // namespace trustsql::semparse
