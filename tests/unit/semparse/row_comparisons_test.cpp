#include "semparse/question/row_comparisons.hpp"

#include <string>

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* rows_by_name = R"(
CREATE TABLE station(id INTEGER PRIMARY KEY, name TEXT, district TEXT, docks INTEGER, opened INTEGER);
CREATE TABLE patient(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT, born_on TEXT,
                     weight_kg REAL);
CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, price REAL, category TEXT);
INSERT INTO station VALUES (1, 'Old Market', 'North', 12, 2010), (2, 'Harbour', 'South', 20, 2015),
  (3, 'Castle', 'North', 8, 2018);
INSERT INTO patient VALUES (1, 'Ann', 'Lee', 'York', '1990-02-03', 60), (2, 'Bob', 'Ray', 'Leeds', '1980-05-06', 80),
  (3, 'Cy', 'Fox', 'York', '2001-01-01', 75);
INSERT INTO product VALUES (1, 'Mug', 5, 'kitchen'), (2, 'Lamp', 30, 'light'), (3, 'Bowl', 8, 'kitchen');
)";

// "PHRASE: COLUMN OPERATOR of NAME" of the comparison; empty if there is none.
std::string comparison(const ParserGround& ground, std::string_view text) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  for (const auto& value : linking.values) {
    if (value.test != ColumnTest::row) continue;
    const auto* op = value.comparison == Comparison::greater ? " > "
                     : value.comparison == Comparison::less  ? " < "
                                                             : " = ";
    std::string found = std::string(question.text_of(value.span)) + ": " +
                        ground.domain().column(value.cells.front().column).name + op + "of";
    for (const auto& cell : value.row) found += " " + std::string(cell.text);
    return found;
  }
  return {};
}

TEST(RowComparisons, AmountsOfANamedRow) {
  const ParserGround ground(rows_by_name);
  EXPECT_EQ(comparison(ground, "Which stations have more docks than Old Market?"),
            "more docks than Old Market: docks > of Old Market");
  EXPECT_EQ(comparison(ground, "stations with fewer docks than the Harbour"),
            "fewer docks than the Harbour: docks < of Harbour");
  EXPECT_EQ(comparison(ground, "Which products have a lower price than Lamp?"),
            "a lower price than Lamp: price < of Lamp");
  EXPECT_EQ(comparison(ground, "Which products have a price higher than that of the Bowl?"),
            "price higher than that of the Bowl: price > of Bowl");
  EXPECT_EQ(comparison(ground, "Which products are cheaper than the Lamp?"), "cheaper than the Lamp: price < of Lamp");
  EXPECT_EQ(comparison(ground, "Which products are less expensive than the Lamp?"),
            "less expensive than the Lamp: price < of Lamp");
  EXPECT_EQ(comparison(ground, "Which products cost more than the Mug?"), "cost more than the Mug: price > of Mug");
  EXPECT_EQ(comparison(ground, "Which patients are heavier than Ann Lee?"),
            "heavier than Ann Lee: weight_kg > of Ann Lee");
}

TEST(RowComparisons, AgesAndTimes) {
  const ParserGround ground(rows_by_name);
  EXPECT_EQ(comparison(ground, "Which patients are older than Bob Ray?"), "older than Bob Ray: born_on < of Bob Ray");
  EXPECT_EQ(comparison(ground, "Who is younger than Ann Lee?"), "younger than Ann Lee: born_on > of Ann Lee");
  EXPECT_EQ(comparison(ground, "Which stations opened after Old Market?"),
            "opened after Old Market: opened > of Old Market");
  EXPECT_EQ(comparison(ground, "Which stations opened earlier than the Castle?"),
            "opened earlier than the Castle: opened < of Castle");
}

// Whether the row itself is meant is open without "other".
TEST(RowComparisons, TheSame) {
  const ParserGround ground(rows_by_name);
  EXPECT_EQ(comparison(ground, "Which other stations are in the same district as Castle?"),
            "in the same district as Castle: district = of Castle");
  EXPECT_EQ(comparison(ground, "Which other stations opened the same year as Castle?"),
            "opened the same year as Castle: opened = of Castle");
  EXPECT_EQ(comparison(ground, "Which stations are in the same district as Castle?"), "");
}

TEST(RowComparisons, NeedARowOfTheAskedTable) {
  const ParserGround ground(rows_by_name);
  EXPECT_EQ(comparison(ground, "Which patients have more docks than Old Market?"), "");
  EXPECT_EQ(comparison(ground, "Which stations have more bikes than Old Market?"), "");
  EXPECT_EQ(comparison(ground, "Which products are not cheaper than the Lamp?"), "");
  EXPECT_EQ(comparison(ground, "Which products are cheaper than 10?"), "");
  EXPECT_EQ(comparison(ground, "Which stations are older than Castle?"), "");
}

TEST(RowComparisons, BecomeQueries) {
  ParserGround ground(rows_by_name);
  EXPECT_EQ(parsed(ground, "Which stations have more docks than Old Market?").readings.front().sql,
            "SELECT name FROM station WHERE docks > (SELECT docks FROM station WHERE name = 'Old Market')");
  EXPECT_EQ(parsed(ground, "How many patients are older than Bob Ray?").readings.front().sql,
            "SELECT count(*) FROM patient WHERE born_on < (SELECT born_on FROM patient WHERE first_name = 'Bob' AND "
            "last_name = 'Ray')");
  EXPECT_EQ(parsed(ground, "What other stations are in the same district as Castle?").readings.front().sql,
            "SELECT name FROM station WHERE district = (SELECT district FROM station WHERE name = 'Castle') AND name "
            "<> 'Castle'");
  const auto same = parsed(ground, "Which other patients live in the same city as Ann Lee?");
  EXPECT_NE(same.readings.front().sql.find(
                "city = (SELECT city FROM patient WHERE first_name = 'Ann' AND last_name = 'Lee') AND id <> (SELECT id "
                "FROM patient WHERE first_name = 'Ann' AND last_name = 'Lee')"),
            std::string::npos)
      << same.readings.front().sql;
  EXPECT_NE(same.reading.find("the city of another patient whose first name is 'Ann'"), std::string::npos)
      << same.reading;
}

}  // namespace
}  // namespace trustsql::semparse
