#include "semparse/grounding/grounding.hpp"

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// The names of the broken rules, in order.
std::string broken(ParserGround& ground_, std::string_view question, std::string_view sql,
                   std::string_view evidence = {}) {
  const auto query = std::move(parse_query(sql)).value();
  const auto resolution = std::move(resolve(query, ground_.catalog())).value();
  std::string names;
  for (const auto& violation : ground(question, query, resolution, ground_.knowledge(), evidence).violations)
    names += (names.empty() ? "" : " ") + std::string(rule_name(violation.rule));
  return names;
}

TEST(Grounding, WhatIsMissingIsTested) {
  ParserGround readers(
      "CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT, phone TEXT);"
      "INSERT INTO reader VALUES (1, 'Ann', NULL), (2, 'Bob', '555')");
  const auto* question = "Which readers have no phone?";
  EXPECT_EQ(broken(readers, question, "SELECT name FROM reader WHERE phone IS NULL"), "");
  EXPECT_EQ(broken(readers, question, "SELECT name FROM reader WHERE coalesce(phone, '') = ''"), "");
  EXPECT_EQ(broken(readers, question, "SELECT name FROM reader"), "value");
}

TEST(Grounding, ColumnsThatAreComparedAreUsed) {
  ParserGround loans(
      "CREATE TABLE loan(id INTEGER PRIMARY KEY, book TEXT, due_date TEXT, returned_on TEXT);"
      "INSERT INTO loan VALUES (1, 'Emma', '2024-01-02', '2024-02-01'), (2, 'Ulysses', '2024-03-02', NULL)");
  const auto* question = "Which books were returned after the due date?";
  EXPECT_EQ(broken(loans, question, "SELECT book FROM loan WHERE returned_on > due_date"), "");
  EXPECT_EQ(broken(loans, question, "SELECT book FROM loan WHERE returned_on IS NOT NULL"), "value");
}

TEST(Grounding, RightQueriesPass) {
  ParserGround shop;
  const std::pair<const char*, const char*> pairs[] = {
      {"How many customers are there?", "SELECT count(*) FROM customer"},
      {"What are the names of customers from Paris?", "SELECT name FROM customer WHERE city = 'Paris'"},
      {"Who are the customers older than 30?", "SELECT name FROM customer WHERE age > 30"},
      {"Customers aged 30 or more", "SELECT name FROM customer WHERE age >= 30"},
      {"Which products cost between 5 and 20?", "SELECT title FROM product WHERE price BETWEEN 5 AND 20"},
      {"Which customers have never bought anything?",
       "SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM purchase)"},
      {"Show the 2 most expensive products", "SELECT title FROM product ORDER BY price DESC LIMIT 2"},
      {"List the products in descending order of price", "SELECT title FROM product ORDER BY price DESC"},
      {"What is the average price for each category?", "SELECT category, avg(price) FROM product GROUP BY category"},
      {"Products with 'air' in their title", "SELECT * FROM product WHERE title LIKE '%air%'"},
      {"How many purchases were made after May 2024?", "SELECT count(*) FROM purchase WHERE day > '2024-05-31'"},
      {"Which customers bought both a Lamp and a Novel?",
       "SELECT name FROM customer JOIN purchase USING (customer_id) JOIN product USING (product_id) WHERE title = "
       "'Lamp' INTERSECT SELECT name FROM customer JOIN purchase USING (customer_id) JOIN product USING (product_id) "
       "WHERE title = 'Novel'"},
  };
  for (const auto& [question, sql] : pairs) EXPECT_EQ(broken(shop, question, sql), "") << question;
}

TEST(Grounding, WrongQueriesAreStopped) {
  ParserGround shop;
  struct Case {
    const char* question;
    const char* sql;
    const char* rule;
  };
  const Case cases[] = {
      {"Plot the ages of the customers", "SELECT age FROM customer", "task"},
      {"What are the names of customers from Paris?", "SELECT name FROM customer WHERE city = 'London'", "literal"},
      {"What are the names of customers from Paris?", "SELECT name FROM customer", "value"},
      {"What is the price of 'Lamp'?", "SELECT price FROM product", "quotation"},
      {"Customers older than 30", "SELECT name FROM customer", "count"},
      {"Customers older than 30", "SELECT name FROM customer WHERE age > 45", "number"},
      {"Customers older than 30", "SELECT name FROM customer WHERE age >= 30", "bound_asked"},
      {"Customers aged at least 30", "SELECT name FROM customer WHERE age > 30", "bound_asked"},
      {"Customers called Paris", "SELECT age FROM customer WHERE name = 'Paris'", "elsewhere"},
      {"Customers from paris", "SELECT name FROM customer WHERE city = 'paris'", "letter_case"},
      {"What is the average price of all products?", "SELECT sum(price) FROM product", "sum"},
      {"What is the average age of customers?", "SELECT age FROM customer", "average_asked"},
      {"Which customer is the oldest?", "SELECT name FROM customer", "extreme_asked"},
      {"Products sorted by price", "SELECT title FROM product", "order_asked"},
      {"Products in descending order of price", "SELECT title FROM product ORDER BY price", "direction_asked"},
      {"Customers without a purchase", "SELECT name FROM customer JOIN purchase USING (customer_id)", "negation_asked"},
      {"Names of customers", "SELECT name, count(*) FROM customer GROUP BY name", "count_given"},
      {"Prices of products", "SELECT avg(price) FROM product", "average_given"},
      {"Prices of products", "SELECT max(price) FROM product", "extreme_given"},
      {"Show the products", "SELECT title FROM product ORDER BY price LIMIT 1", "limit_given"},
      {"Who is there?", "SELECT age FROM customer", "answer_type"},
      {"Show the category of each product", "SELECT title FROM product", "column_unused"},
      {"How many lamps are there?", "SELECT count(*) FROM customer", "nothing_shared"},
  };
  for (const auto& [question, sql, rule] : cases) {
    const auto rules = broken(shop, question, sql);
    if (std::string_view(rule) == "sum")
      EXPECT_EQ(rules.find("average_asked"), std::string::npos) << "a sum may be part of an average";
    else
      EXPECT_NE(rules.find(rule), std::string::npos) << question << " | " << sql << " | " << rules;
  }
}

TEST(Grounding, EvidenceLicensesLiterals) {
  ParserGround shop;
  const char* sql = "SELECT name FROM customer WHERE city = 'Paris'";
  EXPECT_NE(broken(shop, "Customers from the capital", sql), "");
  EXPECT_EQ(broken(shop, "Customers from the capital", sql, "the capital is Paris"), "");
}

// A value that its column does not hold, but one that is spelt similarly. It breaks no rule: models are trained on
// those.
TEST(Grounding, MisspeltValues) {
  ParserGround shop;
  const auto misspelt = [&shop](std::string_view question, std::string_view sql) {
    const auto query = std::move(parse_query(sql)).value();
    const auto resolution = std::move(resolve(query, shop.catalog())).value();
    return ground(question, query, resolution, shop.knowledge()).misspelt;
  };
  const auto found = misspelt("Which customers live in Parsi?", "SELECT name FROM customer WHERE city = 'Parsi'");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().detail, "no value 'Parsi' in customer.city; the nearest is 'Paris'");
  EXPECT_EQ(found.front().suggestion, "did you mean 'Paris' (customer.city)?");
  EXPECT_EQ(broken(shop, "Which customers live in Parsi?", "SELECT name FROM customer WHERE city = 'Parsi'"), "");
  for (const auto* sql :
       {"SELECT name FROM customer WHERE city = 'Paris'", "SELECT name FROM customer WHERE city = 'paris'",
        "SELECT name FROM customer WHERE city = 'Parma'", "SELECT name FROM customer WHERE city = 'York'",
        "SELECT name FROM customer WHERE city LIKE 'Parsi'", "SELECT name FROM customer WHERE name = 'Parsi'",
        "SELECT name FROM customer WHERE city > 'Parsi'"})
    EXPECT_TRUE(misspelt("Which customers live in Parsi?", sql).empty()) << sql;
}

TEST(Grounding, ListsRolesAndLicences) {
  ParserGround shop;
  const auto query = std::move(parse_query("SELECT title, price FROM product")).value();
  const auto resolution = std::move(resolve(query, shop.catalog())).value();
  const auto grounding = ground("Show the title and the flavour of products", query, resolution, shop.knowledge());
  EXPECT_EQ(grounding.without_role, std::vector<std::string>{"flavour"});
  EXPECT_EQ(grounding.without_licence, std::vector<std::string>{"product.price"});
}

TEST(QueryLeaves, OfNestedQueries) {
  ParserGround shop;
  const auto query = std::move(parse_query("WITH c AS (SELECT customer_id AS k, city AS town FROM customer) "
                                           "SELECT count(*), town FROM c WHERE town = 'Paris' AND 3 < k "
                                           "GROUP BY town HAVING count(*) >= 2 ORDER BY 1 DESC LIMIT 4"))
                         .value();
  const auto resolution = std::move(resolve(query, shop.catalog())).value();
  const auto leaves = leaves_of(query, resolution, shop.domain());
  ASSERT_EQ(leaves.select.size(), 2U);
  EXPECT_EQ(leaves.select[0].aggregate, Aggregate::count);
  EXPECT_EQ(leaves.select[1].column, shop.column("customer", "city"));
  EXPECT_TRUE(leaves.ordered && leaves.descending && leaves.limited && leaves.grouped && leaves.all);
  EXPECT_FALSE(leaves.excludes || leaves.between || leaves.intersects || leaves.star);
  std::string literals;
  for (const auto& leaf : leaves.literals)
    literals += leaf.text + ":" + std::to_string(static_cast<int>(leaf.comparison)) + (leaf.limit ? "l" : "") + " ";
  EXPECT_NE(literals.find("Paris:0"), std::string::npos) << literals;
  EXPECT_NE(literals.find("3:4"), std::string::npos) << literals;  // k > 3
  EXPECT_NE(literals.find("2:5"), std::string::npos) << literals;
  EXPECT_NE(literals.find("4:0l"), std::string::npos) << literals;
}

}  // namespace
}  // namespace trustsql::semparse
