#include "semparse/question/column_comparisons.hpp"

#include <string>

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* workshop = R"(
CREATE TABLE project(project_id INTEGER PRIMARY KEY, title TEXT, budget REAL, actual_cost REAL, expected_cost REAL,
                     started_on TEXT, due_date TEXT, finished_on TEXT);
CREATE TABLE player(player_id INTEGER PRIMARY KEY, name TEXT, goals INTEGER, assists INTEGER);
INSERT INTO project VALUES (1, 'Bridge', 100, 120, 90, '2024-01-02', '2024-05-01', '2024-06-01'),
                           (2, 'Tunnel', 200, 150, 210, '2024-02-02', '2024-07-01', NULL);
INSERT INTO player VALUES (1, 'Ann', 3, 5), (2, 'Bob', 4, 1);
)";

// "PHRASE: COLUMN OPERATOR COLUMN" for each comparison.
std::string comparisons(const ParserGround& ground, std::string_view text) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  std::string found;
  for (const auto& value : linking.values) {
    if (value.test != ColumnTest::compared) continue;
    const auto name = [&ground](ColumnId column) { return ground.domain().column(column).name; };
    const auto* op = value.comparison == Comparison::greater     ? " > "
                     : value.comparison == Comparison::less      ? " < "
                     : value.comparison == Comparison::not_equal ? " <> "
                                                                 : " = ";
    found += (found.empty() ? "" : "; ") + std::string(question.text_of(value.span)) + ": " +
             name(value.cells.front().column) + op + name(value.compared_with);
  }
  return found;
}

TEST(ColumnComparisons, OfDates) {
  const ParserGround ground(workshop);
  EXPECT_EQ(comparisons(ground, "Which projects were finished after the due date?"),
            "finished after the due date: finished_on > due_date");
  EXPECT_EQ(comparisons(ground, "projects that finished earlier than their due date"),
            "finished earlier than their due date: finished_on < due_date");
  EXPECT_EQ(comparisons(ground, "Which projects were not finished after the due date?"), "");
  EXPECT_EQ(comparisons(ground, "Which projects were finished after 2024-01-01?"), "");
  // A date is neither above nor below.
  EXPECT_EQ(comparisons(ground, "projects finished above the due date"), "");
}

// A verb and its noun are forms of one word.
TEST(ColumnComparisons, NamesAreVerbsOrNouns) {
  const ParserGround ground(
      "CREATE TABLE parcel(id INTEGER PRIMARY KEY, delivery_date TEXT, promised_date TEXT);"
      "INSERT INTO parcel VALUES (1, '2024-01-02', '2024-01-05'), (2, '2024-02-09', '2024-02-07')");
  EXPECT_EQ(comparisons(ground, "Which parcels were delivered after the promised date?"),
            "delivered after the promised date: delivery_date > promised_date");
}

TEST(ColumnComparisons, OfNumbers) {
  const ParserGround ground(workshop);
  EXPECT_EQ(comparisons(ground, "Which projects have an actual cost above the budget?"),
            "actual cost above the budget: actual_cost > budget");
  EXPECT_EQ(comparisons(ground, "projects whose actual cost exceeds their budget"),
            "actual cost exceeds their budget: actual_cost > budget");
  EXPECT_EQ(comparisons(ground, "How many players have more goals than assists?"),
            "more goals than assists: goals > assists");
  EXPECT_EQ(comparisons(ground, "players whose goals are equal to their assists"),
            "goals are equal to their assists: goals = assists");
  // Of which cost, and of another table.
  EXPECT_EQ(comparisons(ground, "projects whose cost exceeds the budget"), "");
  EXPECT_EQ(comparisons(ground, "players whose goals exceed the budget"), "");
  EXPECT_EQ(comparisons(ground, "projects with a budget above the average"), "");
}

}  // namespace
}  // namespace trustsql::semparse
