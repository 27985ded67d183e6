#include "semparse/abstention/objections.hpp"

#include <utility>

#include "semparse/model/model_file.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* zoo = R"(
CREATE TABLE keeper(keeper_id INTEGER PRIMARY KEY, name TEXT, is_active INTEGER, salary INTEGER);
CREATE TABLE animal(animal_id INTEGER PRIMARY KEY, name TEXT, species TEXT, birth_date TEXT, weight_kg REAL,
                    tagged_on TEXT, keeper_id INTEGER REFERENCES keeper);
CREATE TABLE house(house_id INTEGER PRIMARY KEY, title TEXT, floor INTEGER, market_value INTEGER);
CREATE TABLE feeding(feeding_id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animal, day TEXT, food TEXT);
CREATE TABLE transfer(transfer_id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animal,
                      old_house INTEGER REFERENCES house, new_house INTEGER REFERENCES house, cost INTEGER);
INSERT INTO keeper VALUES (1, 'Ada', 1, 3000), (2, 'Ben', 1, 2500), (3, 'Cleo', 0, 2800), (4, 'Dan', 1, 2600);
INSERT INTO animal VALUES
  (1, 'Rex', 'lion', '2015-03-01', 190, '2016-01-01', 1), (2, 'Mia', 'lion', '2018-07-12', 130, NULL, 1),
  (3, 'Kiki', 'zebra', '2020-02-02', 300, '2021-05-05', 2), (4, 'Bo', 'zebra', '2019-11-30', 310, NULL, 2),
  (5, 'Lu', 'owl', '2022-04-04', 2, NULL, 3), (6, 'Ika', 'seal', '2017-09-09', 85, '2018-01-01', NULL);
INSERT INTO house VALUES (1, 'Savanna', 1, 900), (2, 'Aquarium', 2, 800), (3, 'Aviary', 3, 700);
INSERT INTO feeding VALUES (1, 1, '2024-01-05', 'meat'), (2, 1, '2024-02-05', 'meat'), (3, 3, '2023-03-01', 'hay'),
  (4, 4, '2024-03-09', 'hay'), (5, 5, '2022-05-01', 'mice'), (6, 6, '2024-05-02', 'fish');
INSERT INTO transfer VALUES (1, 1, 1, 2, 400), (2, 5, 2, 3, 150), (3, 6, 3, 2, 90);
)";

TEST(Objections, WordsThatTheReadingLeavesOut) {
  ParserGround ground(zoo);
  const std::pair<const char*, const char*> questions[] = {
      {"How many animals were fed recently?", "recently"},
      {"What is the average weight of heavy animals?", "heavy"},
      {"How many feedings were there this year?", "this"},
      {"What is the average gross salary of the keepers?", "gross"},
      {"Show the names of animals with an A.", "A"},
      {"Show the names of keepers from Ada's house.", "keepers"},
      {"What is the average weight of all animals?", ""},
      {"How many keepers are there?", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
}

TEST(Objections, DatesThatDoNotSort) {
  ParserGround ground(R"(
CREATE TABLE pupil(id INTEGER PRIMARY KEY, name TEXT, birth_date TEXT, joined_on TEXT);
INSERT INTO pupil VALUES (1, 'Ada', '04/21/2005', '2020-01-05'), (2, 'Ben', '11/02/2003', '2019-04-09'),
  (3, 'Cleo', '01/30/2006', '2021-02-07');
)");
  const std::pair<const char*, const char*> questions[] = {
      {"What is the name of the oldest pupil?", "'pupil.birth_date'"},
      {"What is the name of the youngest pupil?", "'pupil.birth_date'"},
      {"What are the birth dates of the pupils?", ""},
      {"Show the name of the pupil that joined first.", ""},
  };
  for (const auto& [question, dates] : questions)
    EXPECT_EQ(parsed(ground, question).objections.unsorted_dates, dates) << question;
}

TEST(Objections, RelationsOfRelations) {
  ParserGround ground(R"(
CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, manager_id INTEGER REFERENCES employee);
INSERT INTO employee VALUES (1, 'Ada Moe', 50, NULL), (2, 'Ben Lund', 40, 1), (3, 'Cleo Vik', 30, 2),
  (4, 'Dan Ask', 25, 2);
)");
  EXPECT_EQ(parsed(ground, "Who is the manager of Cleo Vik's manager?").objections.lost_word, "manager");
  EXPECT_EQ(parsed(ground, "Who is the manager of the manager of Cleo Vik?").objections.lost_word, "manager");
  EXPECT_EQ(parsed(ground, "Who is the manager of Cleo Vik?").objections.lost_word, "");
}

TEST(Objections, RolesThatTheQuestionDoesNotName) {
  ParserGround ground(R"(
CREATE TABLE resident(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE club(id INTEGER PRIMARY KEY, title TEXT, president_id INTEGER REFERENCES resident);
CREATE TABLE membership(id INTEGER PRIMARY KEY, resident_id INTEGER REFERENCES resident,
                        club_id INTEGER REFERENCES club);
INSERT INTO resident VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cleo');
INSERT INTO club VALUES (1, 'Choir', 1), (2, 'Garden Club', 2);
INSERT INTO membership VALUES (1, 1, 1), (2, 3, 1), (3, 2, 2);
)");
  const auto objections = [&](const char* question) { return parsed(ground, question).objections; };
  EXPECT_NE(objections("Which residents are in the Choir?").unclear_columns, "");
  EXPECT_EQ(objections("Who is the president of the Choir?").unclear_columns, "");
}

TEST(Objections, NumbersOfWhatHasATable) {
  ParserGround ground(R"(
CREATE TABLE apiary(id INTEGER PRIMARY KEY, name TEXT, hives INTEGER);
CREATE TABLE hive(id INTEGER PRIMARY KEY, code TEXT, apiary_id INTEGER REFERENCES apiary);
INSERT INTO apiary VALUES (1, 'Hill', 10), (2, 'Mill', 0), (3, 'Moor', 12);
INSERT INTO hive VALUES (1, 'H1', 1), (2, 'H2', 1), (3, 'H3', 3);
)");
  EXPECT_NE(parsed(ground, "How many hives are there?").objections.unclear_columns, "");
  EXPECT_EQ(parsed(ground, "How many apiaries are there?").objections.unclear_columns, "");
}

TEST(Objections, AmountsOfOneRowOrOfAll) {
  ParserGround ground(
      "CREATE TABLE hive(id INTEGER PRIMARY KEY, label TEXT, honey_kg REAL);"
      "CREATE TABLE harvest(id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hive, day TEXT, wax_kg REAL, price "
      "REAL);"
      "INSERT INTO hive VALUES (1, 'north', 12), (2, 'south', 7), (3, 'east', 3);"
      "INSERT INTO harvest VALUES (1, 1, '2024-05-01', 1, 40), (2, 1, '2024-06-01', 3, 60), (3, 2, '2024-05-02', 2, "
      "30)");
  for (const auto* question : {"Which hives gave less than 2 kg of wax?", "Which hive has the highest wax?"})
    EXPECT_EQ(parsed(ground, question).objections.unclear_columns, "'harvest.wax_kg' of one row or of all together")
        << question;
  for (const auto* question :
       {"Which hives have a harvest with less than 2 kg of wax?", "Which hives have less than 10 kg of honey?",
        "Which hives have a price of more than 50?", "Which harvests gave less than 2 kg of wax?"})
    EXPECT_EQ(parsed(ground, question).objections.unclear_columns, "") << question;
}

TEST(Objections, RowsOrTheirAmounts) {
  ParserGround ground(
      "CREATE TABLE dog(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE walk(id INTEGER PRIMARY KEY, dog_id INTEGER REFERENCES dog, minutes INTEGER);"
      "INSERT INTO dog VALUES (1, 'Rex'), (2, 'Mia'), (3, 'Bo'); INSERT INTO walk VALUES (1, 1, 30), (2, 1, 20), (3, "
      "2, 90)");
  EXPECT_EQ(parsed(ground, "Which dog walked the most?").objections.unclear_columns,
            "the number of rows or 'walk.minutes'");
  EXPECT_EQ(parsed(ground, "Which dog has the most walks?").objections.unclear_columns, "");
}

TEST(Objections, WordsOfHowManyRowsItHolds) {
  ParserGround ground(R"(
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tea(id INTEGER PRIMARY KEY, title TEXT, price REAL);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, tea_id INTEGER REFERENCES tea);
INSERT INTO customer VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Ada');
INSERT INTO tea VALUES (1, 'Earl Grey', 5), (2, 'Assam', 6);
INSERT INTO purchase VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1);
)");
  EXPECT_EQ(parsed(ground, "Which customers purchased every tea?").objections.lost_word, "every");
  EXPECT_EQ(parsed(ground, "What is the name of every customer?").objections.lost_word, "");
  const auto except = parsed(ground, "Which customers purchased Earl Grey but not Assam?");
  EXPECT_EQ(except.objections.shared_names, "'customer.name'") << except.readings.front().sql;
}

TEST(Objections, VerbsOfExchange) {
  ParserGround ground(R"(
CREATE TABLE consignor(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE item(id INTEGER PRIMARY KEY, title TEXT, consignor_id INTEGER REFERENCES consignor, stock INTEGER);
INSERT INTO consignor VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cleo');
INSERT INTO item VALUES (1, 'rain jacket', 1, 5), (2, 'evening gown', 2, 1), (3, 'scarf', 1, 0);
)");
  EXPECT_EQ(parsed(ground, "Who bought the rain jacket?").objections.lost_word, "bought");
  EXPECT_EQ(parsed(ground, "What is the stock of the rain jacket?").objections.lost_word, "");
  EXPECT_EQ(parsed(ground, "Give me the titles of the items of the consignor Ada.").objections.lost_word, "");
}

constexpr const char* races = R"(
CREATE TABLE runner(id INTEGER PRIMARY KEY, name TEXT, town TEXT, born_on TEXT, mentor_id INTEGER REFERENCES runner);
CREATE TABLE race(id INTEGER PRIMARY KEY, title TEXT, season TEXT, status TEXT, fee REAL, currency TEXT,
                  year_founded INTEGER);
CREATE TABLE start(id INTEGER PRIMARY KEY, runner_id INTEGER REFERENCES runner, race_id INTEGER REFERENCES race,
                   started_on TEXT);
INSERT INTO runner VALUES (1, 'Ada Moe', 'York', '1990-01-02', NULL), (2, 'Ben Lund', 'Leeds', '1985-03-04', 1),
  (3, 'Cleo Vik', 'York', '2000-05-06', 2);
INSERT INTO race VALUES (1, 'City Run', 'summer', 'open', 10, 'EUR', 1999),
  (2, 'Hill Run', 'winter', 'sold', 12, 'USD', 2010), (3, 'Lake Run', 'summer', 'cancelled', 8, 'EUR', 2016);
INSERT INTO start VALUES (1, 1, 1, '2024-06-01'), (2, 2, 1, '2024-06-01'), (3, 3, 2, '2024-01-05');
)";

TEST(Objections, ComparisonsWithARowAndTimes) {
  ParserGround ground(races);
  const std::pair<const char*, const char*> questions[] = {
      {"Which runners are younger than Ada Moe?", ""},
      {"Which runners are taller than Ada Moe?", "than"},
      {"Which runners live in a different town from Ada Moe?", "different"},
      {"Which races were started in summer?", "summer"},
      {"Which town did Ada Moe run for before?", "before"},
      {"What is the name of Ada Moe?", "Ada"},
      {"What is the town of Ada Moe?", ""},
      {"Which runners live in York?", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
}

TEST(Objections, AmountsInSeveralCurrenciesAndDatesOfAStatus) {
  ParserGround ground(races);
  EXPECT_EQ(parsed(ground, "What is the total fee of the races?").objections.mixed_amounts, "'race.fee'");
  EXPECT_EQ(parsed(ground, "What is the average fee of the races in EUR?").objections.mixed_amounts, "");
  EXPECT_NE(parsed(ground, "Which races were sold in 2010?").objections.unclear_columns, "");
}

// A noun that is a verb as well.
TEST(Roles, OfVerbsThatAreNouns) {
  ParserGround ground(races);
  const auto rows_of_first = [&](const char* question) { return parsed(ground, question).readings.front().sql; };
  EXPECT_EQ(rows_of_first("Which runner mentors Cleo Vik?"),
            "SELECT T2.name FROM runner AS T1 JOIN runner AS T2 ON T1.mentor_id = T2.id WHERE T1.name = 'Cleo Vik'");
  EXPECT_EQ(rows_of_first("Which runners did Ada Moe mentor?"),
            "SELECT T1.name FROM runner AS T1 JOIN runner AS T2 ON T1.mentor_id = T2.id WHERE T2.name = 'Ada Moe'");
}

TEST(Roles, AreNoNamesWithoutANoun) {
  ParserGround ground(R"(
CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, joined_on TEXT, referred_by INTEGER REFERENCES member);
INSERT INTO member VALUES (1, 'Ada Moe', '2020-01-05', NULL), (2, 'Ben Lund', '2021-02-06', 1),
  (3, 'Cleo Vik', '2022-03-07', 1), (4, 'Dan Ask', '2022-04-08', 2);
)");
  const auto by = parsed(ground, "Who was referred by Ada Moe?");
  EXPECT_EQ(by.readings.front().sql,
            "SELECT T1.name FROM member AS T1 JOIN member AS T2 ON T1.referred_by = T2.id WHERE T2.name = 'Ada Moe'");
  EXPECT_EQ(by.reworded, "show the name of the member that was referred by Ada Moe");
}

TEST(Objections, WhoDoesIt) {
  ParserGround ground(R"(
CREATE TABLE guest(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE room(id INTEGER PRIMARY KEY, number INTEGER);
CREATE TABLE review(id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest, room_id INTEGER REFERENCES room);
INSERT INTO guest VALUES (1, 'Ada'), (2, 'Ben');
INSERT INTO room VALUES (1, 101), (2, 102);
INSERT INTO review VALUES (1, 1, 1);
)");
  EXPECT_EQ(parsed(ground, "Which guests were never reviewed?").objections.far_word, "reviewed");
  EXPECT_EQ(parsed(ground, "Which guests have never reviewed?").objections.far_word, "");
  EXPECT_EQ(parsed(ground, "Which rooms were never reviewed?").objections.far_word, "");
}

TEST(Objections, WordsThatMeanSomethingElse) {
  ParserGround ground(zoo);
  const std::pair<const char*, const char*> questions[] = {
      {"What is the average weight of predators?", "predators"}, {"What is the average price of the houses?", "price"},
      {"What is the average market value of the houses?", ""},   {"What is the average weight of the animals?", ""},
      {"What is the average wage of the keepers?", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.far_word, word) << question;
}

TEST(Objections, ReferencesThatNothingChooses) {
  ParserGround ground(zoo);
  EXPECT_EQ(parsed(ground, "What is the average cost of transfers of the Aquarium?").objections.unclear_columns,
            "'transfer.old_house' or 'transfer.new_house'");
  EXPECT_TRUE(parsed(ground, "What is the average cost of transfers?").objections.unclear_columns.empty());
}

TEST(Objections, DenialsOfWhatIsNotKnown) {
  ParserGround ground(
      "CREATE TABLE student(id INTEGER PRIMARY KEY, name TEXT, insured INTEGER, certified TEXT, active INTEGER);"
      "INSERT INTO student VALUES (1, 'Ann', 1, 'Y', 1), (2, 'Bob', 0, 'N', 0), (3, 'Cy', NULL, NULL, 1)");
  EXPECT_EQ(parsed(ground, "How many uninsured students are there?").objections.unclear_denial, "'student.insured'");
  EXPECT_EQ(parsed(ground, "How many students are not certified?").objections.unclear_denial, "'student.certified'");
  EXPECT_EQ(parsed(ground, "How many insured students are there?").objections.unclear_denial, "");
  EXPECT_EQ(parsed(ground, "How many students are not active?").objections.unclear_denial, "");
}

TEST(Objections, PeopleOfOneName) {
  ParserGround ground(
      "CREATE TABLE singer(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, voice TEXT);"
      "INSERT INTO singer VALUES (1, 'Ann', 'Hughes', 'alto'), (2, 'Bob', 'Hughes', 'bass'), (3, 'Cy', 'Moe', "
      "'tenor')");
  EXPECT_EQ(parsed(ground, "What is the voice of Hughes?").objections.unclear_person, "Hughes");
  EXPECT_EQ(parsed(ground, "What is the voice of the singer Hughes?").objections.unclear_person, "Hughes");
  EXPECT_EQ(parsed(ground, "What is the voice of Moe?").objections.unclear_person, "");
  EXPECT_EQ(parsed(ground, "What is the voice of Ann Hughes?").objections.unclear_person, "");
  EXPECT_EQ(parsed(ground, "Show the voices of the singers whose last name is Hughes.").objections.unclear_person, "");
}

TEST(Objections, PlacesOfTwoTables) {
  ParserGround ground(
      "CREATE TABLE branch(id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
      "CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT, home_city TEXT, branch_id INTEGER REFERENCES branch);"
      "CREATE TABLE supplier(id INTEGER PRIMARY KEY, name TEXT, town TEXT);"
      "INSERT INTO branch VALUES (1, 'North', 'Leeds'), (2, 'South', 'Hull');"
      "INSERT INTO employee VALUES (1, 'Ann', 'Leeds', 1), (2, 'Bob', 'Leeds', 2), (3, 'Cy', 'Ripon', 1);"
      "INSERT INTO supplier VALUES (1, 'Ace', 'Ripon'), (2, 'Max', 'Hull')");
  EXPECT_EQ(parsed(ground, "employees in Leeds").objections.unclear_columns, "'employee.home_city' or 'branch.city'");
  EXPECT_EQ(parsed(ground, "employees in Ripon").objections.unclear_columns, "");  // no branch is there
  EXPECT_EQ(parsed(ground, "employees whose home city is Leeds").objections.unclear_columns, "");
  EXPECT_EQ(parsed(ground, "suppliers in Hull").objections.unclear_columns,
            "");  // they have nothing to do with branches
}

// What the likeliest reading is, where another one would be near.
TEST(Objections, ReadingsThatSayWhatIsAsked) {
  ParserGround ground(zoo);
  const std::pair<const char*, const char*> questions[] = {
      {"How many keepers have more than one animal?",
       "SELECT count(*) FROM (SELECT keeper_id FROM animal WHERE keeper_id IS NOT NULL GROUP BY keeper_id HAVING "
       "count(*) > 1)"},
      {"How many species have more than one animal?",
       "SELECT count(*) FROM (SELECT species FROM animal GROUP BY species HAVING count(*) > 1)"},
      {"How many keepers have a lion?",
       "SELECT count(DISTINCT T1.keeper_id) FROM keeper AS T1 JOIN animal AS T2 ON T2.keeper_id = T1.keeper_id WHERE "
       "T2.species = 'lion'"},
      {"How many feedings were there in 2023 and 2024?",
       "SELECT count(*) FROM feeding WHERE day LIKE '2023%' OR day LIKE '2024%'"},
      {"How many lions or zebras were born in 2018?",
       "SELECT count(*) FROM animal WHERE species IN ('lion', 'zebra') AND birth_date LIKE '2018%'"},
      {"How many animals are not lions or zebras?",
       "SELECT count(*) FROM animal WHERE species <> 'lion' AND species <> 'zebra'"},
      {"How many animals were not born before 2018?", "SELECT count(*) FROM animal WHERE birth_date >= '2018-01-01'"},
      {"How many animals do not weigh more than 100?", "SELECT count(*) FROM animal WHERE weight_kg <= 100"},
      {"How many inactive keepers are there?", "SELECT count(*) FROM keeper WHERE is_active = 0"},
      {"How many untagged animals are there?", "SELECT count(*) FROM animal WHERE tagged_on IS NULL"},
      {"How many houses are above floor 1?", "SELECT count(*) FROM house WHERE floor > 1"},
      {"How many animals were born on or after 1 January 2018?",
       "SELECT count(*) FROM animal WHERE birth_date >= '2018-01-01'"},
      {"How many feedings were there until 5 February 2024?", "SELECT count(*) FROM feeding WHERE day <= '2024-02-05'"},
  };
  for (const auto& [question, sql] : questions) {
    const auto parse = parsed(ground, question);
    ASSERT_FALSE(parse.readings.empty()) << question;
    EXPECT_EQ(parse.readings.front().sql, sql) << question;
  }
}

// A date of something else that happened to a row says nothing of when there was one.
TEST(Objections, DatesOfOtherEvents) {
  ParserGround ground(zoo);
  for (const auto* question : {"How many animals were there in 2018?", "How many animals are there per year?",
                               "How many keepers have two animals?"}) {
    const auto parse = parsed(ground, question);
    for (const auto& reading : parse.readings) {
      EXPECT_EQ(reading.sql.find("tagged_on LIKE"), std::string::npos) << question << "\n" << reading.sql;
      EXPECT_EQ(reading.sql.find("'%Y', tagged_on"), std::string::npos) << question << "\n" << reading.sql;
      EXPECT_EQ(reading.sql.find("weight_kg ="), std::string::npos) << question << "\n" << reading.sql;
    }
  }
}

}  // namespace
}  // namespace trustsql::semparse
