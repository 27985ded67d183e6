#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/skeleton.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

std::string written(const ParserGround& ground, std::string_view sql) {
  const auto tree = ground.tree(sql);
  return tree ? sql_of(ground.domain(), *tree).value_or("cannot be joined") : "not a tree";
}

TEST(Trees, QueriesAreReadAndWritten) {
  const ParserGround ground;
  const std::pair<const char*, const char*> queries[] = {
      {"SELECT count(*) FROM customer", "SELECT count(*) FROM customer"},
      {"SELECT T1.name FROM customer AS T1 WHERE T1.city = \"Paris\" AND age > 30",
       "SELECT name FROM customer WHERE city = 'Paris' AND age > 30"},
      {"SELECT c.name, count(*) FROM customer c JOIN purchase p ON c.customer_id = p.customer_id GROUP BY "
       "c.customer_id",
       "SELECT T1.name, count(*) FROM customer AS T1 JOIN purchase AS T2 ON T2.customer_id = T1.customer_id GROUP BY "
       "T1.customer_id"},
      {"SELECT title FROM product ORDER BY price DESC LIMIT 1",
       "SELECT title FROM product ORDER BY price DESC LIMIT 1"},
      {"SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM purchase)",
       "SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM purchase)"},
      {"SELECT title FROM product WHERE price > (SELECT avg(price) FROM product)",
       "SELECT title FROM product WHERE price > (SELECT avg(price) FROM product)"},
      {"SELECT city FROM customer WHERE age = 1 INTERSECT SELECT city FROM customer WHERE age = 2",
       "SELECT city FROM customer WHERE age = 1 INTERSECT SELECT city FROM customer WHERE age = 2"},
      {"SELECT DISTINCT city FROM customer", "SELECT DISTINCT city FROM customer"},
      {"SELECT * FROM customer WHERE age > 1", "SELECT * FROM customer WHERE age > 1"},
      {"SELECT name FROM customer WHERE age BETWEEN 1 AND 2 OR name LIKE '%a%'",
       "SELECT name FROM customer WHERE age BETWEEN 1 AND 2 OR name LIKE '%a%'"},
  };
  for (const auto& [sql, expected] : queries) EXPECT_EQ(written(ground, sql), expected);
}

TEST(Trees, WhatTheyDoNotHaveIsRefused) {
  const ParserGround ground;
  for (const auto* sql :
       {"SELECT age + 1 FROM customer", "WITH x AS (SELECT 1) SELECT * FROM x", "VALUES (1)",
        "SELECT name FROM customer LEFT JOIN purchase", "SELECT nothing FROM customer",
        "SELECT a.name FROM customer a JOIN customer b", "SELECT name FROM customer LIMIT 1 OFFSET 2"})
    EXPECT_EQ(written(ground, sql), "not a tree") << sql;
}

TEST(Trees, WhatSaysTheSameHasTheSameContent) {
  const ParserGround ground(
      "CREATE TABLE doctor(id INTEGER PRIMARY KEY, name TEXT, fee REAL);"
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, doctor_id INTEGER REFERENCES doctor, cost REAL);"
      "INSERT INTO doctor VALUES (1, 'Ann', 10), (2, 'Bob', 20); INSERT INTO visit VALUES (1, 1, 5), (2, 1, 6)");
  const auto content = [&ground](const char* sql) {
    const auto tree = ground.tree(sql);
    EXPECT_TRUE(tree) << sql;
    return tree ? content_of(*tree, ground.domain()) : std::string();
  };
  EXPECT_EQ(content("SELECT name FROM doctor ORDER BY fee DESC LIMIT 1"),
            content("SELECT name FROM doctor WHERE fee = (SELECT max(fee) FROM doctor)"));
  EXPECT_EQ(content("SELECT DISTINCT name FROM doctor WHERE fee > 5"),
            content("SELECT name FROM doctor WHERE fee > 5"));
  const auto* most =
      "SELECT T1.name FROM doctor AS T1 JOIN visit AS T2 ON T2.doctor_id = T1.id "
      "GROUP BY T1.name ORDER BY count(*) DESC LIMIT 1";
  EXPECT_EQ(content(most), content("SELECT T1.name FROM doctor AS T1 JOIN visit AS T2 ON T2.doctor_id = T1.id "
                                   "GROUP BY T2.doctor_id ORDER BY count(*) DESC LIMIT 1"));
  EXPECT_NE(content(most), content("SELECT T1.name FROM doctor AS T1 JOIN visit AS T2 ON T2.doctor_id = T1.id "
                                   "GROUP BY T1.name ORDER BY sum(T2.cost) DESC LIMIT 1"));
  EXPECT_NE(content("SELECT name FROM doctor WHERE fee > 5"), content("SELECT name FROM doctor WHERE fee >= 5"));
  // These have the same rows, in another order.
  EXPECT_NE(content("SELECT fee FROM doctor ORDER BY fee"), content("SELECT fee FROM doctor ORDER BY fee DESC"));
  EXPECT_NE(content("SELECT fee FROM doctor ORDER BY fee"), content("SELECT fee FROM doctor"));
  EXPECT_NE(content("SELECT name FROM doctor WHERE fee > 5"), content("SELECT name FROM doctor WHERE fee > 6"));
}

TEST(Trees, NamesAreQuotedWhereTheyMustBe) {
  const ParserGround ground("CREATE TABLE \"order\"(\"group\" TEXT, \"a b\" INT)");
  EXPECT_EQ(written(ground, "SELECT \"group\", \"a b\" FROM \"order\""), "SELECT \"group\", \"a b\" FROM \"order\"");
}

// A quoted text of a question may hold anything.
TEST(Trees, WhatNoSqlTextCanHoldIsNotWritten) {
  const ParserGround ground;
  auto tree = ground.tree("SELECT name FROM customer WHERE city = 'Paris'");
  ASSERT_TRUE(tree && sql_of(ground.domain(), *tree));
  auto& value = tree->block.where.at(0).values.at(0);
  value = std::string("Pa\0ris", 6);
  EXPECT_FALSE(sql_of(ground.domain(), *tree));
  value = std::string("Par\xffis");
  EXPECT_FALSE(sql_of(ground.domain(), *tree));
  value = std::string("S\xc3\xa8te; --'");
  EXPECT_EQ(sql_of(ground.domain(), *tree), "SELECT name FROM customer WHERE city = 'S\xc3\xa8te; --'''");
}

TEST(Skeletons, ForgetTablesColumnsAndValues) {
  const ParserGround ground;
  const auto text = [&ground](std::string_view sql) {
    const auto tree = ground.tree(sql);
    const auto skeleton = tree ? skeleton_of(*tree) : std::nullopt;
    return skeleton ? text_of(*skeleton) : "none";
  };
  EXPECT_EQ(text("SELECT name, city FROM customer WHERE age > 3"), "P v");
  EXPECT_EQ(text("SELECT DISTINCT name FROM customer"), "distinct P");
  EXPECT_EQ(text("SELECT * FROM customer"), "*");
  EXPECT_EQ(text("SELECT city, count(*) FROM customer GROUP BY city"), "P,count(*) g");
  EXPECT_EQ(text("SELECT name FROM customer ORDER BY age DESC LIMIT 1"), "P o:P- 1");
  EXPECT_EQ(text("SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM purchase)"), "P missing");
}

}  // namespace
}  // namespace trustsql::semparse
