#include "semparse/question/extremes.hpp"

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* schema =
    "CREATE TABLE t(born TEXT, year_built INTEGER, years INTEGER, age INTEGER, price REAL, rank INTEGER, "
    "founded INTEGER, seats INTEGER);"
    "INSERT INTO t VALUES ('1990-01-02', 1950, 3, 20, 5, 1, 1880, 1900), "
    "('2001-05-06', 1999, 12, 30, 7.5, 2, 1990, 2000)";

class ExtremesTest : public ::testing::Test {
 protected:
  const DomainColumn& column(const char* name) const { return ground_.domain().column(ground_.column("t", name)); }
  // Of the last word of the text.
  Extreme asked(const char* text, const char* name) const {
    const auto question = read_question(text);
    return asked_extreme(question, question.words.size() - 1, column(name));
  }

 private:
  ParserGround ground_{schema};
};

TEST_F(ExtremesTest, PointsInTime) {
  EXPECT_TRUE(is_point_in_time(column("born")));
  EXPECT_TRUE(is_point_in_time(column("year_built")));
  EXPECT_FALSE(is_point_in_time(column("years")));  // how many
  EXPECT_FALSE(is_point_in_time(column("price")));
  EXPECT_TRUE(is_point_in_time(column("founded")));
  EXPECT_FALSE(is_point_in_time(column("seats")));
}

TEST_F(ExtremesTest, OldAndNew) {
  EXPECT_EQ(asked("the oldest", "born"), Extreme::least);
  EXPECT_EQ(asked("the oldest", "year_built"), Extreme::least);
  EXPECT_EQ(asked("the oldest", "age"), Extreme::greatest);
  EXPECT_EQ(asked("the oldest", "price"), Extreme::unknown);
  EXPECT_EQ(asked("the youngest", "born"), Extreme::greatest);
  EXPECT_EQ(asked("the youngest", "age"), Extreme::least);
  EXPECT_EQ(asked("the latest", "born"), Extreme::greatest);
  EXPECT_EQ(asked("the most recent", "born"), Extreme::greatest);
  EXPECT_EQ(asked("the earliest", "born"), Extreme::least);
}

TEST_F(ExtremesTest, Amounts) {
  EXPECT_EQ(asked("the cheapest", "price"), Extreme::least);
  EXPECT_EQ(asked("the highest", "price"), Extreme::greatest);
  EXPECT_EQ(asked("the highest", "rank"), Extreme::unknown);
  EXPECT_EQ(asked("the price", "price"), Extreme::unknown);
}

TEST_F(ExtremesTest, OfTrees) {
  const ParserGround ground;
  const auto extremes = [&ground](const char* sql) { return extremes_of(ground.tree(sql)->block); };
  const auto age = ground.column("customer", "age");
  for (const auto* sql : {"SELECT name FROM customer ORDER BY age LIMIT 1", "SELECT min(age) FROM customer",
                          "SELECT name FROM customer WHERE age = (SELECT min(age) FROM customer)"}) {
    ASSERT_EQ(extremes(sql).size(), 1U) << sql;
    EXPECT_EQ(extremes(sql).front().column, age);
    EXPECT_EQ(extremes(sql).front().extreme, Extreme::least);
  }
  EXPECT_TRUE(extremes("SELECT name FROM customer ORDER BY age").empty());
  EXPECT_TRUE(extremes("SELECT name FROM customer WHERE age > (SELECT min(age) FROM customer)").empty());
}

}  // namespace
}  // namespace trustsql::semparse
