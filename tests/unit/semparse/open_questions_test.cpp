// Objections to what a question leaves open, or an answer leaves out.

#include <utility>

#include "semparse/abstention/objections.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* farm_ddl = R"(
CREATE TABLE worker(id INTEGER PRIMARY KEY, first_name TEXT, surname TEXT, income INTEGER, hired_on TEXT, left_on TEXT);
CREATE TABLE field(id INTEGER PRIMARY KEY, name TEXT, area_ha REAL, opened INTEGER, region TEXT);
CREATE TABLE harvest(id INTEGER PRIMARY KEY, field_id INTEGER REFERENCES field, worker_id INTEGER REFERENCES worker,
                     tonnes REAL, taken_on TEXT);
CREATE TABLE lease(id INTEGER PRIMARY KEY, field_id INTEGER REFERENCES field, worker_id INTEGER REFERENCES worker,
                   rent INTEGER, end_date TEXT);
CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, price_cents INTEGER, warranty TEXT, grade TEXT);
INSERT INTO worker VALUES (1, 'Ann', 'Lee', 900, '2019-01-02', NULL), (2, 'Bob', 'Dover', 800, '2020-03-04',
  '2022-05-06'), (3, 'Cy', 'Fox', 700, '2021-07-08', NULL);
INSERT INTO field VALUES (1, 'Top', 5, 2001, 'East'), (2, 'Low', 9, 2004, 'West'), (3, 'New', 2, 2021, 'East'),
  (4, 'Far', 4, 2021, 'West');
INSERT INTO harvest VALUES (1, 1, 1, 10, '2021-08-01'), (2, 1, 2, 12, '2022-08-01'), (3, 2, 1, 7, '2022-08-02'),
  (4, 4, 1, 3, '2022-08-03');
INSERT INTO lease VALUES (1, 1, 1, 100, '2021-01-01'), (2, 2, 3, 120, NULL), (3, 1, 3, 110, NULL);
INSERT INTO product VALUES (1, 'Mug', 500, '5', '10'), (2, 'Lamp', 3000, '10', '20'), (3, 'Bowl', 800, '2', '30');
)";

TEST(OpenQuestions, WhatThereIsNow) {
  ParserGround ground(farm_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"How many workers do we have?", "all rows or those without 'worker.left_on'"},
      {"How many workers have we hired since 2020?", ""},
      {"How many fields do we have?", ""},
      {"How many workers are there?", ""},
  };
  for (const auto& [question, columns] : questions)
    EXPECT_EQ(parsed(ground, question).objections.unclear_columns, columns) << question;
}

// A join leaves out the field without harvests.
TEST(OpenQuestions, GroupsThatAreEmpty) {
  ParserGround ground(farm_ddl);
  EXPECT_EQ(parsed(ground, "Which field has the fewest harvests?").objections.unclear_columns,
            "all rows of 'field' or only those that have some");
  EXPECT_EQ(parsed(ground, "Which field has the most harvests?").objections.unclear_columns, "");
}

TEST(OpenQuestions, PluralsOfWhichSeveralAreFirst) {
  ParserGround ground(farm_ddl);
  EXPECT_EQ(parsed(ground, "Which regions have the most fields?").objections.lost_word, "most");
  EXPECT_EQ(parsed(ground, "Which region has the most fields?").objections.lost_word, "");
}

TEST(OpenQuestions, YesOrNo) {
  ParserGround ground(farm_ddl);
  EXPECT_EQ(parsed(ground, "Are all fields in the East?").objections.unclear_columns, "yes or no or the list of rows");
}

TEST(OpenQuestions, NumbersThatAreTexts) {
  ParserGround ground(farm_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"Which products have a warranty of more than 3?", "'product.warranty'"},
      {"What is the maximum warranty of the products?", "'product.warranty'"},
      {"Which products have a grade above 15?", ""},  // all have two digits
      {"Which products have a grade above 5?", "'product.grade'"},
      {"What is the average warranty of the products?", ""},
  };
  for (const auto& [question, column] : questions)
    EXPECT_EQ(parsed(ground, question).objections.mixed_amounts, column) << question;
}

TEST(OpenQuestions, WordsOfOtherThings) {
  ParserGround ground(farm_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"Which workers are from Dover?", "Dover"},
      {"Which field had the biggest harvest?", "biggest"},
      {"Show the workers whose surname is Dover.", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
  EXPECT_EQ(parsed(ground, "Which workers pay more than 750?").objections.far_word, "pay");
  EXPECT_EQ(parsed(ground, "Which fields were open in 2021?").objections.far_word, "open");
  EXPECT_EQ(parsed(ground, "Which fields were open before 2021?").objections.far_word, "");
  EXPECT_EQ(parsed(ground, "How many workers did not leave in 2022?").objections.unclear_denial, "'worker.left_on'");
}

TEST(OpenQuestions, TimesThatAreNotRecorded) {
  ParserGround ground(
      "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE player(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, team_id INTEGER REFERENCES team);"
      "INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');"
      "INSERT INTO player VALUES (1, 'Ravi', 'Patel', 1), (2, 'Kai', 'Young', 2), (3, 'Tom', 'Moe', 1)");
  EXPECT_EQ(parsed(ground, "Which team did Ravi Patel play for first?").objections.lost_word, "first");
  EXPECT_EQ(parsed(ground, "Which team will Kai Young play for?").objections.lost_word, "will");
  EXPECT_EQ(parsed(ground, "Which team does Kai Young play for?").objections.lost_word, "");
}

constexpr const char* two_references = R"(
CREATE TABLE user(uid INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES user);
CREATE TABLE message(id INTEGER PRIMARY KEY, sender INTEGER REFERENCES user, receiver INTEGER REFERENCES user,
                     subject TEXT);
CREATE TABLE harvest(id INTEGER PRIMARY KEY, foreman_id INTEGER REFERENCES user, tonnes REAL);
CREATE TABLE band(id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE concert(id INTEGER PRIMARY KEY, headliner_id INTEGER REFERENCES band, support_id INTEGER REFERENCES band,
                     venue TEXT);
INSERT INTO user VALUES (1, 'Ann Cole', NULL), (2, 'Bob Moe', 1), (3, 'Cy Fox', 1);
INSERT INTO message VALUES (1, 1, 2, 'hi'), (2, 2, 3, 'ho'), (3, 3, 1, 'yo');
INSERT INTO harvest VALUES (1, 2, 3), (2, 2, 4), (3, 3, 5);
INSERT INTO band VALUES (1, 'Owls'), (2, 'Foxes'), (3, 'Bears'), (4, 'Hares');
INSERT INTO concert VALUES (1, 1, 2, 'Arena'), (2, 2, NULL, 'Forum'), (3, 3, 1, 'Arena');
)";

TEST(OpenQuestions, WhichOfTwoReferences) {
  ParserGround ground(two_references);
  const std::pair<const char*, const char*> questions[] = {
      {"Which bands performed at the Arena?", "'concert.headliner_id' or 'concert.support_id'"},
      {"What are the titles of the bands without concerts?", "'concert.headliner_id' or 'concert.support_id'"},
      {"How many harvests did Ann Cole supervise?", "'user.boss' or 'harvest.foreman_id'"},
  };
  for (const auto& [question, columns] : questions)
    EXPECT_EQ(parsed(ground, question).objections.unclear_columns, columns) << question;
  EXPECT_FALSE(parsed(ground, "Who got a message from Ann Cole?").objections.none());
}

TEST(OpenQuestions, RowsThatAreAskedForAndMore) {
  ParserGround ground(farm_ddl);
  EXPECT_EQ(parsed(ground, "Fields with an area above 3, and the region please").readings.front().sql,
            "SELECT name, region FROM field WHERE area_ha > 3");
  EXPECT_EQ(parsed(ground, "Which workers are still with us?").objections.lost_word, "still");
}

constexpr const char* agency_ddl = R"(
CREATE TABLE agent(id INTEGER PRIMARY KEY, forename TEXT, surname TEXT, office TEXT, position TEXT, salary_k INTEGER,
                   since TEXT, phone TEXT, email TEXT);
CREATE TABLE house(id INTEGER PRIMARY KEY, address TEXT, town TEXT, status TEXT, agent_id INTEGER REFERENCES agent,
                   bedrooms INTEGER);
CREATE TABLE sale(id INTEGER PRIMARY KEY, house_id INTEGER REFERENCES house, sold_on TEXT, price_k INTEGER);
INSERT INTO agent VALUES (1, 'Otto', 'May', 'North', 'trainee', 30, '2010-01-02', NULL, 'o@x'),
  (2, 'Otto', 'Fox', 'South', 'partner', 90, '2015-03-04', '123', NULL),
  (3, 'June', 'West', 'North', 'trainee', 45, '2018-05-06', '456', 'j@x');
INSERT INTO house VALUES (1, '1 Mill Lane', 'York', 'for sale', 1, 3), (2, '2 Hill Road', 'Leeds', 'sold', 2, 2),
  (3, '3 Bay View', 'York', 'under offer', 3, 4), (4, '4 Elm Row', 'Ripon', 'for sale', 2, 1);
INSERT INTO sale VALUES (1, 2, '2020-02-02', 300), (2, 3, '2012-01-01', 200);
)";

TEST(OpenQuestions, NamesAndValuesOfSeveralWords) {
  ParserGround ground(agency_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"Which agents work in the North office?", "SELECT forename, surname FROM agent WHERE office = 'North'"},
      {"How many houses are for sale?", "SELECT count(*) FROM house WHERE status = 'for sale'"},
      {"What is the position of Otto May?", "SELECT position FROM agent WHERE forename = 'Otto' AND surname = 'May'"},
      {"Show the houses, the town, and the number of bedrooms.", "SELECT address, town, bedrooms FROM house"},
      {"Show the houses, their town and the status.", "SELECT address, town, status FROM house"},
  };
  for (const auto& [question, sql] : questions)
    EXPECT_EQ(parsed(ground, question).readings.front().sql, sql) << question;
}

TEST(OpenQuestions, WhatTheReadingDrops) {
  ParserGround ground(agency_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"Which trainees have left?", "left"},
      {"Which agents have no phone but an email?", "but"},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
  EXPECT_EQ(parsed(ground, "Which agents earn more than 60000?").objections.mixed_amounts, "'agent.salary_k'");
  EXPECT_EQ(parsed(ground, "Which agents earn more than 60?").objections.mixed_amounts, "");
  EXPECT_EQ(parsed(ground, "How many agents did we have in 2015?").objections.unclear_columns,
            "all rows that there were then or those with 'agent.since' in that time");
  EXPECT_EQ(parsed(ground, "How many houses were sold in 2020?").objections.unclear_columns, "");
}

// Readings that another one would be near.
TEST(OpenQuestions, Readings) {
  ParserGround ground(farm_ddl);
  const std::pair<const char*, const char*> questions[] = {
      {"Which products cost more than 9 dollars?", "SELECT name FROM product WHERE price_cents > 900"},
      {"List the fields by area.", "SELECT name FROM field ORDER BY area_ha"},
      {"Which workers were hired before 2021?", "SELECT first_name, surname FROM worker WHERE hired_on < '2021-01-01'"},
  };
  for (const auto& [question, sql] : questions) EXPECT_EQ(parsed(ground, question).readings.front().sql, sql);
}

}  // namespace
}  // namespace trustsql::semparse
