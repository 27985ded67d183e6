#include "semparse/question/date_parts.hpp"

#include <string>

#include "semparse/candidates/candidates.hpp"
#include "semparse/question/linked_question.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* deliveries = R"(
CREATE TABLE customer(customer_id INTEGER PRIMARY KEY, name TEXT, birth_date TEXT);
CREATE TABLE car(car_id INTEGER PRIMARY KEY, model TEXT, model_year INTEGER);
CREATE TABLE delivery(delivery_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, weight REAL,
                      ordered_on TEXT, arrived_on TEXT);
CREATE TABLE reading(reading_id INTEGER PRIMARY KEY, taken_on TEXT, rain REAL);
INSERT INTO customer VALUES (1, 'Ann', '1980-01-01'), (2, 'Bob', '1990-02-02');
INSERT INTO car VALUES (1, 'Swift', 2019), (2, 'Polo', 2020);
INSERT INTO delivery VALUES (1, 1, 2.5, '2024-01-02', '2024-02-01'), (2, 2, 7, '2025-03-02', '2025-03-09');
INSERT INTO reading VALUES (1, '2024-01-02', 3), (2, '2024-02-02', 5), (3, '2025-02-03', 4);
)";

// "COLUMN year" for each part.
std::string parts(const ParserGround& ground, std::string_view text) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  const Vocabulary vocabulary;
  std::string found;
  for (const auto& part : asked_date_parts(QuestionView(ground.domain(), question, linking, vocabulary)))
    found += (found.empty() ? "" : ", ") + ground.domain().column(part.date).name +
             (part.unit == DateUnit::year ? " year" : " month");
  return found;
}

TEST(DateParts, OfTheAskedRows) {
  const ParserGround ground(deliveries);
  EXPECT_EQ(parts(ground, "How many readings were taken in each year?"), "taken_on year");
  EXPECT_EQ(parts(ground, "average rain of the readings by month"), "taken_on month");
  EXPECT_EQ(parts(ground, "In which month was the reading with the most rain taken?"), "taken_on month");
  EXPECT_EQ(parts(ground, "What is the number of deliveries that arrived per year?"), "arrived_on year");
  EXPECT_EQ(parts(ground, "number of deliveries per year"), "ordered_on year, arrived_on year");
}

TEST(DateParts, OnlyWhereTheyAreAskedFor) {
  const ParserGround ground(deliveries);
  EXPECT_EQ(parts(ground, "How many readings were taken this year?"), "");
  EXPECT_EQ(parts(ground, "How many readings were taken in the year 2024?"), "");
  EXPECT_EQ(parts(ground, "How many readings are there for each day?"), "");
  // There is a column for that.
  EXPECT_EQ(parts(ground, "How many cars are there for each model year?"), "");
  EXPECT_EQ(parts(ground, "How many cars are there per year?"), "");
}

TEST(DateParts, AreColumnsOfTheDomain) {
  const ParserGround ground(deliveries);
  const auto taken = ground.column("reading", "taken_on");
  const auto domain = ground.domain().with_date_parts({{taken, DateUnit::year}, {taken, DateUnit::month}});
  const auto year = static_cast<ColumnId>(ground.domain().columns().size());
  ASSERT_EQ(domain.columns().size(), ground.domain().columns().size() + 2);
  EXPECT_EQ(domain.stored_column(year), taken);
  EXPECT_EQ(domain.column(year).table, ground.table("reading"));
  EXPECT_EQ(domain.find_column(ground.table("reading"), "taken_on"), taken);
  Tree tree;
  tree.block.select = {{Aggregate::none, false, year, nothing},
                       {Aggregate::count, false, nothing, ground.table("reading")}};
  tree.block.group = {year};
  EXPECT_EQ(sql_of(domain, tree),
            "SELECT strftime('%Y', taken_on), count(*) FROM reading GROUP BY strftime('%Y', taken_on)");
  tree.block.select.front().column = tree.block.group.front() = year + 1;
  EXPECT_EQ(sql_of(domain, tree),
            "SELECT strftime('%Y-%m', taken_on), count(*) FROM reading GROUP BY strftime('%Y-%m', taken_on)");
}

// The likeliest reading of a question.
std::string reading(const ParserGround& ground, std::string_view text) {
  const auto model = shipped_model();
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const LinkedQuestion linked(text, linker, model->vocabulary);
  const auto candidates = find_candidates(*model, linked.view());
  return candidates.empty() ? "" : candidates.front().sql;
}

TEST(DateParts, AreGroupedBy) {
  const ParserGround ground(deliveries);
  for (const char* question : {"How many readings were taken in each year?", "number of readings per year"}) {
    const auto sql = reading(ground, question);
    EXPECT_NE(sql.find("count(*)"), std::string::npos) << sql;
    EXPECT_TRUE(sql.ends_with("FROM reading GROUP BY strftime('%Y', taken_on)")) << sql;
  }
  for (const char* question : {"average rain by month", "monthly average rain"}) {
    const auto sql = reading(ground, question);
    EXPECT_NE(sql.find("avg(rain)"), std::string::npos) << sql;
    EXPECT_TRUE(sql.ends_with("FROM reading GROUP BY strftime('%Y-%m', taken_on)")) << sql;
  }
}

}  // namespace
}  // namespace trustsql::semparse
