#include "semparse/domain.hpp"

#include "semparse/joins.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(DomainTest, NamesBecomeWords) {
  EXPECT_EQ(name_words("StudentIDs"), (std::vector<std::string>{"student", "id"}));
  EXPECT_EQ(name_words("average_rating"), (std::vector<std::string>{"average", "rating"}));
}

TEST(DomainTest, KindsKeysAndDisplayColumns) {
  const ParserGround ground;
  const auto& domain = ground.domain();
  EXPECT_EQ(domain.column(ground.column("customer", "age")).kind, DataKind::number);
  EXPECT_EQ(domain.column(ground.column("purchase", "day")).kind, DataKind::date);
  EXPECT_EQ(domain.column(ground.column("customer", "city")).kind, DataKind::text);
  EXPECT_TRUE(domain.column(ground.column("purchase", "product_id")).is_foreign);
  EXPECT_EQ(domain.table(ground.table("customer")).display, ground.column("customer", "name"));
  EXPECT_EQ(domain.table(ground.table("product")).display, ground.column("product", "title"));
  EXPECT_EQ(domain.column(ground.column("customer", "age")).max, 47.0);
}

TEST(DomainTest, KeysThatAreNotDeclaredAreInferred) {
  const ParserGround ground(
      "CREATE TABLE author(author_id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE book(book_id INTEGER PRIMARY KEY, author_id INTEGER, title TEXT)");
  ASSERT_EQ(ground.domain().edges().size(), 1U);
  EXPECT_FALSE(ground.domain().edges().front().declared);
  EXPECT_EQ(ground.domain().edges().front().parent, ground.column("author", "author_id"));
}

TEST(Joins, TheSmallestTreeConnectsAllTables) {
  const ParserGround ground;
  const auto trees = join_trees(ground.domain(), {ground.table("customer"), ground.table("product")});
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees.front().tables.size(), 3U);
  EXPECT_EQ(trees.front().edges.size(), 2U);
}

TEST(Joins, TablesWithoutAPathHaveNone) {
  const ParserGround ground("CREATE TABLE a(x); CREATE TABLE b(y)");
  EXPECT_TRUE(join_trees(ground.domain(), {0, 1}).empty());
}

TEST(Joins, EachKeyBetweenTwoTablesIsATree) {
  const ParserGround ground(
      "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE flight(origin INTEGER REFERENCES city, target INTEGER REFERENCES city)");
  EXPECT_EQ(join_trees(ground.domain(), {0, 1}).size(), 2U);
}

}  // namespace
}  // namespace trustsql::semparse
