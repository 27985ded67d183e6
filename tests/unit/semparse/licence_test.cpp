// What the words of a question allow a query to return and to count.

#include <algorithm>
#include <string>
#include <vector>

#include "semparse/candidates/candidates.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

class AllowedReadings {
 public:
  explicit AllowedReadings(const char* ddl = ParserGround::shop) : ground_(ddl) {}

  const std::vector<std::string>& of(std::string_view text) {
    auto question = read_question(text);
    const auto linking = QuestionLinker(ground_.domain(), ground_.knowledge().values).link(question);
    const auto model = shipped_model();
    const QuestionView view(ground_.domain(), question, linking, model->vocabulary);
    all_.clear();
    for (const auto& candidate : find_candidates(*model, view)) all_.push_back(candidate.sql);
    return all_;
  }
  bool has(std::string_view text, std::string_view sql) {
    of(text);
    return std::find(all_.begin(), all_.end(), sql) != all_.end();
  }
  bool mentions(std::string_view text, std::string_view part) {
    of(text);
    EXPECT_FALSE(all_.empty()) << text;
    return std::any_of(all_.begin(), all_.end(),
                       [part](const std::string& sql) { return sql.find(part) != std::string::npos; });
  }

 private:
  ParserGround ground_;
  std::vector<std::string> all_{};
};

TEST(Licence, ColumnsOfYesAndNoAreNotReturned) {
  AllowedReadings readings(
      "CREATE TABLE trainer(id INTEGER PRIMARY KEY, name TEXT, certified TEXT, active_yn TEXT);"
      "INSERT INTO trainer VALUES (1, 'Ann', 'yes', 'Y'), (2, 'Bob', 'no', 'N'), (3, 'Cy', 'yes', 'Y')");
  EXPECT_TRUE(readings.has("Which trainers are certified?", "SELECT name FROM trainer WHERE certified = 'yes'"));
  EXPECT_FALSE(readings.mentions("Which trainers are certified?", "SELECT certified"));
  EXPECT_FALSE(readings.mentions("Which trainers are certified?", "SELECT DISTINCT certified"));
  EXPECT_TRUE(readings.has("List the active trainers.", "SELECT name FROM trainer WHERE active_yn = 'Y'"));
  EXPECT_TRUE(readings.has("Which trainers are not certified?", "SELECT name FROM trainer WHERE certified = 'no'"));
  // All but those that are not certified are certified.
  EXPECT_FALSE(
      readings.mentions("Which trainers are not certified?", "EXCEPT SELECT name FROM trainer WHERE certified <>"));
  EXPECT_FALSE(readings.mentions("Which trainers are not certified?", "certified <> 'no'"));
  // Here it is asked for.
  EXPECT_TRUE(readings.mentions("Show the names of the trainers and whether they are certified.", "certified FROM"));
}

TEST(Licence, NamesAndNotKeys) {
  AllowedReadings readings;
  EXPECT_FALSE(readings.mentions("Which customer has the most purchases?", "SELECT T1.customer_id"));
  EXPECT_TRUE(readings.mentions("What is the id of the customer with the most purchases?", "customer_id"));
}

TEST(Licence, WhoIsNoExtreme) {
  AllowedReadings readings;
  EXPECT_FALSE(readings.has("Who is the oldest customer?", "SELECT max(age) FROM customer"));
  EXPECT_TRUE(readings.has("Who is the oldest customer?", "SELECT name FROM customer ORDER BY age DESC LIMIT 1"));
}

TEST(Licence, AgeIsThatOfPeople) {
  AllowedReadings readings(
      "CREATE TABLE actor(id INTEGER PRIMARY KEY, name TEXT, birth_date TEXT, debut_year INTEGER);"
      "INSERT INTO actor VALUES (1, 'Ann', '1980-01-01', 2001), (2, 'Bob', '1990-05-05', 2010)");
  EXPECT_FALSE(readings.mentions("Who is the youngest actor?", "debut_year"));
  EXPECT_TRUE(readings.mentions("Who is the youngest actor?", "birth_date"));
}

TEST(Licence, AgeIsNoTimeOfService) {
  AllowedReadings readings(
      "CREATE TABLE vet(id INTEGER PRIMARY KEY, name TEXT, joined_year INTEGER);"
      "INSERT INTO vet VALUES (1, 'Ann', 2001), (2, 'Bob', 2010)");
  EXPECT_FALSE(readings.mentions("Who is the youngest vet?", "ORDER BY joined_year"));
  EXPECT_FALSE(readings.mentions("Who is the oldest vet?", "(joined_year)"));
  EXPECT_TRUE(readings.mentions("Which vet has the latest joined year?", "joined_year"));
}

TEST(Licence, PeopleAreNoReferences) {
  AllowedReadings readings(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE branch(id INTEGER PRIMARY KEY, city TEXT, deputy_id INTEGER REFERENCES person);"
      "INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob'); INSERT INTO branch VALUES (1, 'York', 1), (2, 'Hull', 2)");
  EXPECT_FALSE(
      readings.has("Who is the deputy of the branch in York?", "SELECT deputy_id FROM branch WHERE city = 'York'"));
  EXPECT_TRUE(
      readings.has("What is the deputy id of the branch in York?", "SELECT deputy_id FROM branch WHERE city = 'York'"));
}

TEST(Licence, ASuperlativeIsNoComparison) {
  AllowedReadings readings;
  const auto* question = "Who is the oldest customer in Paris?";
  EXPECT_FALSE(readings.mentions(question, "age < (SELECT"));
  EXPECT_FALSE(readings.mentions(question, "age > (SELECT"));
  EXPECT_TRUE(readings.mentions(question, "city = 'Paris'"));
}

TEST(Licence, TheRowsThatAreCounted) {
  AllowedReadings readings;
  const auto* question = "How many customers bought a Lamp?";
  EXPECT_FALSE(readings.has(question, "SELECT count(*) FROM product WHERE title = 'Lamp'"));
  EXPECT_TRUE(readings.mentions(question, "SELECT count(*) FROM customer"));
  EXPECT_FALSE(readings.mentions("How many customers are from Paris?", "count(DISTINCT name)"));
  EXPECT_FALSE(readings.mentions(question, "sum(T2.day)"));  // nobody adds up dates
}

TEST(Licence, YearsAreNotAddedUp) {
  AllowedReadings readings(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER, town TEXT);"
      "INSERT INTO person VALUES (1, 'Ann', 1961, 'Ulm'), (2, 'Bob', 1980, 'Ulm'), (3, 'Cy', 1975, 'Bonn')");
  EXPECT_FALSE(readings.mentions("How many people were born in Ulm?", "sum(birth_year)"));
  EXPECT_TRUE(readings.mentions("How many people were born in Ulm?", "SELECT count(*) FROM person"));
  EXPECT_TRUE(readings.mentions("What is the average birth year of the people from Ulm?", "avg(birth_year)"));
}

TEST(Licence, AgesAreNoYears) {
  AllowedReadings readings(
      "CREATE TABLE truck(id INTEGER PRIMARY KEY, name TEXT, model_year INTEGER, trip_minutes REAL);"
      "INSERT INTO truck VALUES (1, 'A', 2004, 10), (2, 'B', 2012, 20), (3, 'C', 2012, 30)");
  EXPECT_TRUE(readings.mentions("How many trucks are older than 2010?", "model_year < 2010"));
  EXPECT_FALSE(readings.mentions("How many trucks are older than 2010?", "model_year > 2010"));
  EXPECT_FALSE(readings.mentions("Which trucks are newer than 2010?", "model_year < 2010"));
  EXPECT_FALSE(readings.mentions("How many trucks are 20 years old?", "model_year = 20"));
  EXPECT_FALSE(readings.has("What is the average age of the trucks?", "SELECT avg(model_year) FROM truck"));
  EXPECT_FALSE(readings.has("What is the average trip of the trucks in hours?", "SELECT avg(trip_minutes) FROM truck"));
  EXPECT_TRUE(
      readings.has("What is the average trip of the trucks in minutes?", "SELECT avg(trip_minutes) FROM truck"));
}

TEST(Licence, YearsOfDatesAreNoDays) {
  AllowedReadings readings(
      "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, signup_date DATE);"
      "INSERT INTO member VALUES (1, 'A', '2020-01-02'), (2, 'B', '2020-03-04'), (3, 'C', '2021-03-04')");
  EXPECT_FALSE(readings.mentions("Number of members per signup year", "GROUP BY signup_date"));
  EXPECT_FALSE(readings.has("How many members signed up each year?", "SELECT count(DISTINCT signup_date) FROM member"));
}

TEST(Licence, EachWantsGroups) {
  AllowedReadings readings;
  EXPECT_FALSE(readings.has("What is the average price for each category?", "SELECT avg(price) FROM product"));
  EXPECT_TRUE(readings.has("What is the average price for each category?",
                           "SELECT category, avg(price) FROM product GROUP BY category"));
}

TEST(Licence, ComparedWithTheAverageAlone) {
  AllowedReadings readings;
  const auto* question = "Which products are more expensive than the average?";
  EXPECT_TRUE(readings.has(question, "SELECT title FROM product WHERE price > (SELECT avg(price) FROM product)"));
  EXPECT_FALSE(readings.mentions(question, "SELECT max("));
  EXPECT_FALSE(readings.mentions(question, "SELECT avg(price) FROM product WHERE"));
}

TEST(Licence, WhatOneRowEarnsIsNotAddedUp) {
  AllowedReadings readings(
      "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, salary INTEGER);"
      "INSERT INTO player VALUES (1, 'Ann', 100), (2, 'Bob', 200), (3, 'Cy', 200)");
  EXPECT_FALSE(readings.mentions("Which player earns the most?", "sum(salary)"));
}

TEST(Licence, ValuesThatAreCountedAreUsed) {
  AllowedReadings readings(
      "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, species TEXT);"
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pet, reason TEXT);"
      "INSERT INTO pet VALUES (1, 'Rex', 'dog'), (2, 'Mia', 'cat'), (3, 'Old Tom', 'cat');"
      "INSERT INTO visit VALUES (1, 1, 'check')");
  for (const auto& sql : readings.of("How many dogs are there?"))
    EXPECT_NE(sql.find("'dog'"), std::string::npos) << sql;
  for (const auto& sql : readings.of("How many visits did Old Tom have?"))
    EXPECT_NE(sql.find("'Old Tom'"), std::string::npos) << sql;
}

TEST(Licence, EachOfATableIsARowOfIt) {
  AllowedReadings readings(
      "CREATE TABLE recipe(id INTEGER PRIMARY KEY, name TEXT, cuisine TEXT);"
      "CREATE TABLE review(id INTEGER PRIMARY KEY, recipe_id INTEGER REFERENCES recipe, stars INTEGER);"
      "INSERT INTO recipe VALUES (1, 'Soup', 'Thai'), (2, 'Stew', 'Irish'), (3, 'Bread', 'Irish');"
      "INSERT INTO review VALUES (1, 1, 5), (2, 2, 3), (3, 2, 4)");
  const auto* question = "What is the average number of stars for each recipe?";
  EXPECT_FALSE(readings.mentions(question, "GROUP BY T1.cuisine"));
  EXPECT_TRUE(readings.mentions(question, "GROUP BY T1."));
}

// Nothing is NOT IN what holds a NULL.
TEST(Licence, ReferencesThatAreMissingExcludeNothing) {
  AllowedReadings readings(
      "CREATE TABLE hall(hall_id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE painting(id INTEGER PRIMARY KEY, title TEXT, hall_id INTEGER REFERENCES hall);"
      "INSERT INTO hall VALUES (1, 'Blue'), (2, 'Red'); INSERT INTO painting VALUES (1, 'Dawn', 1), (2, 'Dusk', NULL)");
  EXPECT_TRUE(readings.has(
      "Which halls have no paintings?",
      "SELECT name FROM hall WHERE hall_id NOT IN (SELECT hall_id FROM painting WHERE hall_id IS NOT NULL)"));
}

TEST(Licence, RowsWithoutANameHaveTheirKey) {
  AllowedReadings readings(
      "CREATE TABLE device(serial_no TEXT PRIMARY KEY, brand TEXT, price REAL);"
      "INSERT INTO device VALUES ('A1', 'Dell', 900), ('A2', 'Dell', 1200), ('A3', 'HP', 300)");
  EXPECT_TRUE(readings.has("Which devices cost more than 1000?", "SELECT serial_no FROM device WHERE price > 1000"));
  EXPECT_FALSE(readings.mentions("Which devices cost more than 1000?", "SELECT brand"));
}

// Nobody without a date of birth is the oldest.
constexpr const char* estate = R"(
CREATE TABLE agent(agent_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hired TEXT);
CREATE TABLE house(house_id INTEGER PRIMARY KEY, address TEXT, list_price INTEGER, list_date TEXT, rooms INTEGER,
                   agent_id INTEGER REFERENCES agent);
CREATE TABLE visit(visit_id INTEGER PRIMARY KEY, house_id INTEGER REFERENCES house, hours REAL);
INSERT INTO agent VALUES (1, 'Ida', 'Moe', '2020-05-01'), (2, 'Per', 'Lie', '2021-06-01'), (3, 'Eva', 'Holm', '2022-02-02');
INSERT INTO house VALUES (1, 'Main Street 1', 2024, '2024-01-05', 3, 1), (2, 'Park Lane 7', 300000, '2023-05-05', 4, 2),
                         (3, 'Hill Road 2', 250000, '2024-03-03', 5, 1);
INSERT INTO visit VALUES (1, 1, 1.5), (2, 1, 2), (3, 2, 1), (4, 3, 2.5);
)";

TEST(Licence, WhatIsListedIsReturned) {
  AllowedReadings readings(estate);
  EXPECT_TRUE(
      readings.has("Show the first name and last name of all agents", "SELECT first_name, last_name FROM agent"));
  for (const auto& sql : readings.of("Show the address, list price and number of rooms of houses over 200000"))
    EXPECT_TRUE(sql.find("address") < sql.find(" FROM") && sql.find("list_price") < sql.find(" FROM") &&
                sql.find("rooms") < sql.find(" FROM"))
        << sql;
  EXPECT_FALSE(readings.mentions("Show the address and list price of houses with more than 3 rooms", "SELECT count("));
}

TEST(Licence, YearsAreNoAmounts) {
  AllowedReadings readings(estate);
  EXPECT_FALSE(readings.mentions("How many houses were listed in 2024?", "list_price = 2024"));
  EXPECT_FALSE(readings.mentions("agents hired in 2020 or later, newest first", "LIMIT 2020"));
  EXPECT_FALSE(readings.mentions("agents hired after 2020", "count(*) > 2020"));
  EXPECT_FALSE(readings.mentions("houses of at least 3 rooms, cheapest first", "LIMIT 3"));
  // Days are no years.
  EXPECT_FALSE(readings.mentions("How many houses were listed each year?", "GROUP BY list_date"));
  EXPECT_FALSE(readings.mentions("How many houses were listed each week?", "GROUP BY list_date"));
}

TEST(Licence, BoundsOfSumsAreNoCounts) {
  AllowedReadings readings(estate);
  EXPECT_FALSE(readings.mentions("Which houses were visited for more than 3 hours in total?", "count(*) > 3"));
  EXPECT_FALSE(readings.mentions("houses whose visits add up to more than 3", "count(*) > 3"));
  EXPECT_TRUE(readings.mentions("Which houses have more than 3 visits?", "count(*) > 3"));
}

TEST(Licence, NoNameIsTheHighest) {
  AllowedReadings readings(estate);
  EXPECT_FALSE(readings.mentions("What is the address of the highest house?", "ORDER BY address DESC LIMIT 1"));
}

TEST(Licence, KeysAreNotAddedUp) {
  AllowedReadings readings(estate);
  EXPECT_FALSE(readings.mentions("agents by total price of their houses, the three highest", "sum(T2.agent_id)"));
  EXPECT_FALSE(readings.mentions("Which agents have houses with more than 9 rooms in total?", "sum(T2.house_id)"));
}

TEST(Licence, GroupsAreSortedByTheAmountThatIsReturned) {
  AllowedReadings readings(
      "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE player(id INTEGER PRIMARY KEY, team_id INT REFERENCES team, salary INT, goals INT);"
      "INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues'); INSERT INTO player VALUES (1, 1, 10, 2), (2, 2, 20, 1)");
  std::size_t sorted = 0;  // by a sum that is returned
  for (const auto& sql : readings.of("Show the name and the total salary of the team with the highest total salary"))
    for (const char* column : {"salary", "goals"}) {
      const auto sum = "sum(T2." + std::string(column) + ")";
      if (sql.find("ORDER BY " + sum) == std::string::npos || sql.find("sum(") > sql.find(" FROM")) continue;
      EXPECT_LT(sql.find(sum), sql.find(" FROM")) << sql;
      ++sorted;
    }
  EXPECT_GT(sorted, 0U);
}

TEST(Licence, NoIdleIntersection) {
  AllowedReadings readings;
  for (const auto& sql : readings.of("Show the name and city of the customers from Oslo"))
    EXPECT_FALSE(sql.find("FROM customer INTERSECT") != std::string::npos ||
                 sql.ends_with("INTERSECT SELECT name, city FROM customer"))
        << sql;
}

TEST(Licence, GroupsHaveOneValueInWhatIsReturned) {
  AllowedReadings readings(estate);
  const auto* const question = "How many houses does each agent have?";
  EXPECT_TRUE(readings.mentions(question, "SELECT count(*), T1.first_name, T1.last_name"));
  for (const auto& sql : readings.of(question))
    EXPECT_TRUE(sql.find("address") == std::string::npos || sql.find("house_id") != std::string::npos) << sql;
  // Nor is there anything beside a number of all rows.
  for (const auto& sql : readings.of("How many houses are there, and what is their address?"))
    EXPECT_TRUE(sql.find("count(") == std::string::npos || sql.find("GROUP BY") != std::string::npos ||
                sql.find("address") == std::string::npos)
        << sql;
}

TEST(Licence, AndIsNoOrBetweenColumns) {
  AllowedReadings readings;
  const auto* const question = "Which customers are from Paris and are called Bob?";
  EXPECT_FALSE(readings.mentions(question, " OR "));
  EXPECT_FALSE(readings.has(
      question,
      "SELECT name FROM customer WHERE city = 'Paris' INTERSECT SELECT name FROM customer WHERE name = 'Bob'"));
  EXPECT_TRUE(readings.mentions("Which customers are from Paris or are called Bob?", " OR "));
}

TEST(Licence, TimesBelongToTheRowsThatAreSpokenOf) {
  AllowedReadings readings(estate);
  EXPECT_FALSE(readings.mentions("Which agents hired before 2022 have a house of 3 rooms?", "list_date <"));
  EXPECT_FALSE(readings.mentions("houses of agents that were listed in 2024", "hired LIKE"));
}

TEST(Licence, SortedByIsFollowedByWhatSorts) {
  AllowedReadings readings(estate);
  const auto* const question = "Show the address and the number of visits of each house, sorted by house id.";
  EXPECT_TRUE(readings.mentions(question, "house_id"));
  EXPECT_FALSE(readings.mentions(question, "ORDER BY count(*)"));
  EXPECT_TRUE(readings.mentions("Show the address of each house, sorted by the number of visits.", "ORDER BY count("));
}

TEST(Licence, NoSubquerySelectsByWhatIsJoined) {
  AllowedReadings readings(estate);
  for (const auto& sql : readings.of("Show the hours of the visits of houses in 2023"))
    EXPECT_EQ(sql.find("IN (SELECT house_id FROM visit"), std::string::npos) << sql;
}

TEST(Licence, ACountInANameCountsNothing) {
  AllowedReadings readings(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, page_count INTEGER);"
      "INSERT INTO book VALUES (1, 'Emma', 300), (2, 'Ulysses', 700), (3, 'Dubliners', 200)");
  EXPECT_FALSE(readings.mentions("books with a page count over 250", "SELECT count("));
  EXPECT_TRUE(readings.mentions("What is the count of books?", "SELECT count("));
}

TEST(Licence, NamesOfPartsOfARow) {
  AllowedReadings readings(
      "CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, song_name TEXT, song_year INTEGER);"
      "INSERT INTO singer VALUES (1, 'Ann', 31, 'Dawn', 2014), (2, 'Bob', 25, 'Dusk', 2003)");
  EXPECT_FALSE(readings.mentions("Show the name and the year of the song by the youngest singer.", "SELECT name"));
  EXPECT_TRUE(readings.mentions("Show the name of the youngest singer.", "SELECT name"));
}

TEST(Licence, TheLeastIsKnown) {
  AllowedReadings readings(
      "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER);"
      "INSERT INTO artist VALUES (1, 'Ann', 1980), (2, 'Bob', 1990), (3, 'Cy', NULL)");
  EXPECT_TRUE(readings.has("Who is the oldest artist?",
                           "SELECT name FROM artist WHERE birth_year IS NOT NULL ORDER BY birth_year LIMIT 1"));
  EXPECT_TRUE(readings.has("Who is the youngest artist?", "SELECT name FROM artist ORDER BY birth_year DESC LIMIT 1"));
}

}  // namespace
}  // namespace trustsql::semparse
