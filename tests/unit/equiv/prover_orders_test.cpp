// Orders, limits, windows and extremes that the prover compares.
#include <gtest/gtest.h>

#include "unit/equiv/prover_fixture.hpp"

namespace trustsql::equiv {
namespace {

TEST_F(Prover, ComparesWindowsThatTiesDoNotMatterTo) {
  same("SELECT name, rank() OVER (PARTITION BY country ORDER BY age) FROM singer WHERE age > 3",
       "SELECT name, rank() OVER (PARTITION BY country ORDER BY age) FROM (SELECT * FROM singer WHERE 3 < age) AS s");
  same("SELECT z, rank() OVER (PARTITION BY x ORDER BY y) FROM odd WHERE z > 3",
       "SELECT z, rank() OVER (PARTITION BY x ORDER BY y) FROM (SELECT * FROM odd WHERE 3 < z) AS o");
  unknown("SELECT z, row_number() OVER (PARTITION BY x ORDER BY y) FROM odd WHERE z > 3",
          "SELECT z, row_number() OVER (PARTITION BY x ORDER BY y) FROM (SELECT * FROM odd WHERE 3 < z) AS o",
          ProofGap::Kind::order_dependent);
  unknown("SELECT name, rank() OVER (PARTITION BY country ORDER BY age) FROM singer",
          "SELECT name, rank() OVER (PARTITION BY country ORDER BY age DESC) FROM singer");
  unknown("SELECT name, row_number() OVER (ORDER BY age) FROM singer",
          "SELECT name, row_number() OVER (ORDER BY age) FROM singer", ProofGap::Kind::order_dependent);
  same("SELECT name, row_number() OVER (ORDER BY id) FROM singer",
       "SELECT s.name, row_number() OVER (ORDER BY s.id) FROM singer s");
}

TEST_F(Prover, ProvesNothingThatDependsOnOrder) {
  const auto order = ProofGap::Kind::order_dependent;
  unknown("SELECT name FROM singer LIMIT 3", "SELECT name FROM singer LIMIT 3", order);
  unknown("SELECT name FROM singer ORDER BY age LIMIT 3", "SELECT name FROM singer ORDER BY age LIMIT 3", order);
  same("SELECT name FROM singer ORDER BY age, id LIMIT 3", "SELECT s.name FROM singer s ORDER BY s.age, s.id LIMIT 3");
  // Tied rows do not differ in the columns that are shown.
  same("SELECT age FROM singer ORDER BY age LIMIT 3", "SELECT s.age FROM singer s ORDER BY s.age LIMIT 3");
  unknown("SELECT name, age FROM singer GROUP BY age", "SELECT name, age FROM singer GROUP BY age", order);
  unknown("SELECT group_concat(name) FROM singer", "SELECT group_concat(name) FROM singer", order);
  unknown("SELECT random()", "SELECT random()", order);
  unknown("SELECT (SELECT name FROM singer)", "SELECT (SELECT name FROM singer)", order);
  // Whether 1 or 1.0 is kept is open, and then it is a divisor.
  unknown("SELECT 3 / x FROM (SELECT DISTINCT x FROM odd)", "SELECT 3 / x FROM (SELECT DISTINCT x FROM odd)", order);
  same("SELECT DISTINCT x FROM odd", "SELECT x FROM odd GROUP BY x");
}

TEST_F(Prover, MaximumAndFirstRowDifferWhereThereIsNone) {
  unknown("SELECT max(age) FROM singer", "SELECT age FROM singer ORDER BY age DESC LIMIT 1");
}

TEST_F(Prover, ComparesOrderWhereBothHaveOne) {
  unknown("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer");
  same("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer", {.rows_as_bag = true});
  unknown("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer ORDER BY age DESC");
  same("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer ORDER BY age DESC", {.rows_as_bag = true});
  same("SELECT name FROM singer ORDER BY id, age", "SELECT name FROM singer ORDER BY id");
  same("SELECT name FROM singer WHERE country = 'x' ORDER BY country, age",
       "SELECT name FROM singer WHERE country = 'x' ORDER BY age");
  unknown("SELECT name FROM singer ORDER BY age, id", "SELECT name FROM singer ORDER BY id, age");
  const std::string first = "SELECT name FROM singer ORDER BY age, id LIMIT 3";
  same("SELECT name FROM (SELECT name, age, id FROM singer ORDER BY age, id LIMIT 3) ORDER BY age, id", first);
  unknown("SELECT name FROM (SELECT name, age, id FROM singer ORDER BY age, id LIMIT 3) ORDER BY age", first);
}

TEST_F(Prover, TakesTheFirstOfSortedValuesForTheGreatest) {
  same("SELECT name FROM singer WHERE age = (SELECT age FROM singer ORDER BY age DESC LIMIT 1)",
       "SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)");
  unknown("SELECT name FROM singer WHERE age = (SELECT age FROM singer ORDER BY age LIMIT 1)",
          "SELECT name FROM singer WHERE age = (SELECT min(age) FROM singer)");
  same("SELECT name FROM singer WHERE id = (SELECT id FROM singer ORDER BY id LIMIT 1)",
       "SELECT name FROM singer WHERE id = (SELECT min(id) FROM singer)");
  unknown("SELECT name FROM singer WHERE age = (SELECT age FROM singer ORDER BY country DESC, age DESC LIMIT 1)",
          "SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)");
}

TEST_F(Prover, ComparesLimitsBelowLeftJoins) {
  same("SELECT c.id, s.name FROM concert c LEFT JOIN singer s ON s.id = c.singer_id ORDER BY c.id LIMIT 3",
       "SELECT c.id, s.name FROM (SELECT * FROM concert ORDER BY id LIMIT 3) c LEFT JOIN singer s ON s.id = "
       "c.singer_id ORDER BY c.id");
  unknown("SELECT s.id, c.title FROM singer s LEFT JOIN concert c ON s.id = c.singer_id ORDER BY s.id, c.id LIMIT 3",
          "SELECT s.id, c.title FROM (SELECT * FROM singer ORDER BY id LIMIT 3) s LEFT JOIN concert c ON s.id = "
          "c.singer_id ORDER BY s.id, c.id");
}

TEST_F(Prover, FirstRowsOfPartitionsAreGroups) {
  const std::string latest = "SELECT singer_id, max(year) FROM concert GROUP BY singer_id";
  same(
      "SELECT singer_id, year FROM (SELECT singer_id, year, row_number() OVER (PARTITION BY singer_id ORDER BY year "
      "DESC"
      ", title) AS n FROM concert) WHERE n = 1",
      latest);
  same(
      "SELECT DISTINCT singer_id, year FROM (SELECT singer_id, year, rank() OVER (PARTITION BY singer_id ORDER BY year "
      "DESC) AS n FROM concert) WHERE n = 1",
      latest);
  same("SELECT DISTINCT singer_id, max(year) OVER (PARTITION BY singer_id) FROM concert", latest);
  same("SELECT s.name, max(c.year) FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.id",
       "SELECT name, year FROM (SELECT s.name, c.year, row_number() OVER (PARTITION BY s.id ORDER BY c.year DESC) AS n "
       "FROM singer s JOIN concert c ON c.singer_id = s.id) WHERE n = 1");
  same("SELECT age FROM singer ORDER BY age DESC LIMIT 1",
       "SELECT age FROM (SELECT age, row_number() OVER (ORDER BY age DESC) AS n FROM singer) WHERE n = 1");
  const auto not_proved = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(attempt(a, b, everything).proof) << a << "\n" << b;
    EXPECT_FALSE(attempt(b, a, everything).proof) << b << "\n" << a;
  };
  // Several rows of a singer may have the greatest year.
  not_proved(
      "SELECT singer_id, year FROM (SELECT singer_id, year, rank() OVER (PARTITION BY singer_id ORDER BY year DESC)"
      " AS n FROM concert) WHERE n = 1",
      latest);
  not_proved("SELECT singer_id, max(year) OVER (PARTITION BY singer_id) FROM concert", latest);
  // The first year is the least one.
  not_proved(
      "SELECT singer_id, year FROM (SELECT singer_id, year, row_number() OVER (PARTITION BY singer_id ORDER BY "
      "year) AS n FROM concert) WHERE n = 1",
      latest);
  // No row against one with NULL.
  not_proved("SELECT age FROM (SELECT age, row_number() OVER (ORDER BY age DESC) AS n FROM singer) WHERE n = 1",
             "SELECT max(age) FROM singer");
  // NULL comes first.
  not_proved("SELECT age FROM (SELECT age, row_number() OVER (ORDER BY age) AS n FROM singer) WHERE n = 1",
             "SELECT min(age) FROM singer HAVING count(*) > 0");
  not_proved("SELECT DISTINCT singer_id, max(year) OVER (PARTITION BY singer_id ORDER BY id) FROM concert", latest);
}

TEST_F(Prover, FirstRanksAreExtremes) {
  const std::string latest = "SELECT title FROM concert WHERE year = (SELECT max(year) FROM concert)";
  same("SELECT title FROM (SELECT title, rank() OVER (ORDER BY year DESC) AS n FROM concert) WHERE n = 1", latest);
  same("SELECT title FROM (SELECT title, dense_rank() OVER (ORDER BY year DESC) AS n FROM concert) WHERE n <= 1",
       latest);
  same(
      "SELECT title FROM (SELECT title, row_number() OVER (PARTITION BY year ORDER BY id) AS n FROM concert) WHERE n = "
      "1",
      "SELECT title FROM concert AS c WHERE id = (SELECT min(id) FROM concert AS d WHERE d.year = c.year)");
  const auto not_proved = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(attempt(a, b, everything).proof) << a << "\n" << b;
    EXPECT_FALSE(attempt(b, a, everything).proof) << b << "\n" << a;
  };
  // Ages that are NULL come first, and are the last of DESC.
  not_proved("SELECT name FROM (SELECT name, rank() OVER (ORDER BY age) AS n FROM singer) WHERE n = 1",
             "SELECT name FROM singer WHERE age = (SELECT min(age) FROM singer)");
  not_proved("SELECT name FROM (SELECT name, rank() OVER (ORDER BY age DESC) AS n FROM singer) WHERE n = 1",
             "SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)");
  not_proved("SELECT title FROM (SELECT title, rank() OVER (ORDER BY year DESC) AS n FROM concert) WHERE n = 2",
             latest);
  not_proved("SELECT title FROM (SELECT title, rank() OVER (ORDER BY year) AS n FROM concert) WHERE n = 1", latest);
  not_proved("SELECT title FROM (SELECT title, row_number() OVER (ORDER BY year DESC) AS n FROM concert) WHERE n = 1",
             latest);
  not_proved(
      "SELECT title FROM (SELECT title, rank() OVER (PARTITION BY singer_id ORDER BY year DESC) AS n FROM concert)"
      " WHERE n = 1",
      latest);
  // Those of singer 3 need not be the latest of all.
  not_proved(
      "SELECT title FROM (SELECT title, singer_id, rank() OVER (ORDER BY year DESC) AS n FROM concert)"
      " WHERE n = 1 AND singer_id = 3",
      "SELECT title FROM (SELECT title, rank() OVER (ORDER BY year DESC) AS n FROM concert WHERE singer_id = 3)"
      " WHERE n = 1");
}

TEST_F(Prover, NothingGreaterIsTheMaximum) {
  const std::string latest = "SELECT title FROM concert WHERE year = (SELECT max(year) FROM concert)";
  same("SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT 1 FROM concert AS d WHERE d.year > c.year)", latest);
  same(
      "SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT * FROM concert AS d WHERE c.id > d.id AND d.year = "
      "c.year)",
      "SELECT title FROM concert AS c WHERE id = (SELECT min(id) FROM concert AS d WHERE d.year = c.year)");
  const auto not_proved = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(attempt(a, b, everything).proof) << a << "\n" << b;
    EXPECT_FALSE(attempt(b, a, everything).proof) << b << "\n" << a;
  };
  not_proved("SELECT name FROM singer AS s WHERE NOT EXISTS (SELECT 1 FROM singer AS t WHERE t.age > s.age)",
             "SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)");
  not_proved(
      "SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT 1 FROM concert AS d WHERE d.year > c.year AND d.id > 3)",
      latest);
  not_proved("SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT 1 FROM concert AS d WHERE d.year >= c.year)",
             latest);
  not_proved("SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT 1 FROM concert AS d WHERE d.id > c.year)",
             latest);
  not_proved(
      "SELECT title FROM concert AS c WHERE NOT EXISTS (SELECT 1 FROM concert AS d WHERE d.year > c.year AND "
      "d.singer_id"
      " = c.singer_id)",
      "SELECT title FROM concert AS c WHERE year = (SELECT max(year) FROM concert AS d WHERE d.singer_id = "
      "c.singer_id)");
}

TEST_F(Prover, LimitsThatDoNotChoose) {
  same("SELECT name FROM singer WHERE (SELECT 1 FROM concert WHERE singer_id = singer.id LIMIT 1) IS NOT NULL",
       "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE singer_id = singer.id)");
  same("SELECT year FROM concert WHERE year = 2000 LIMIT 1", "SELECT DISTINCT year FROM concert WHERE year = 2000",
       everything);
  same("SELECT year FROM (SELECT year FROM concert ORDER BY id LIMIT 3) WHERE year > 1 LIMIT 2 OFFSET 3",
       "SELECT year FROM concert WHERE 1 = 0");
  same(
      "SELECT id FROM (SELECT * FROM (SELECT id FROM singer ORDER BY id LIMIT 5) UNION ALL SELECT id FROM concert) "
      "ORDER BY "
      "id LIMIT 3 OFFSET 2",
      "SELECT id FROM (SELECT id FROM singer UNION ALL SELECT id FROM concert) ORDER BY id LIMIT 3 OFFSET 2");
  const auto not_proved = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(attempt(a, b, everything).proof) << a << "\n" << b;
    EXPECT_FALSE(attempt(b, a, everything).proof) << b << "\n" << a;
  };
  not_proved(
      "SELECT name FROM singer WHERE (SELECT title FROM concert WHERE singer_id = singer.id LIMIT 1) IS NOT NULL",
      "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE singer_id = singer.id)");
  not_proved("SELECT x FROM odd WHERE x = 1 LIMIT 1", "SELECT DISTINCT x FROM odd WHERE x = 1");
  not_proved("SELECT y FROM odd WHERE y = 'a' LIMIT 1", "SELECT DISTINCT y FROM odd WHERE y = 'a'");
  not_proved("SELECT year FROM concert WHERE year = 2000 LIMIT 2",
             "SELECT DISTINCT year FROM concert WHERE year = 2000");
  not_proved(
      "SELECT id FROM (SELECT * FROM (SELECT id FROM singer ORDER BY id LIMIT 4) UNION ALL SELECT id FROM concert) "
      "ORDER BY id LIMIT 3 OFFSET 2",
      "SELECT id FROM (SELECT id FROM singer UNION ALL SELECT id FROM concert) ORDER BY id LIMIT 3 OFFSET 2");
  not_proved(
      "SELECT id FROM (SELECT * FROM (SELECT id FROM singer ORDER BY id DESC LIMIT 5) UNION ALL SELECT id FROM "
      "concert) ORDER BY id LIMIT 3",
      "SELECT id FROM (SELECT id FROM singer UNION ALL SELECT id FROM concert) ORDER BY id LIMIT 3");
}

TEST_F(Prover, FirstValuesAndZeros) {
  same("SELECT nth_value(age, 1) OVER (PARTITION BY id ORDER BY name) FROM singer",
       "SELECT first_value(age) OVER (PARTITION BY id ORDER BY name) FROM singer");
  same("SELECT code FROM ticket WHERE price = -0.0", "SELECT code FROM ticket WHERE price = 0.0");
  EXPECT_FALSE(attempt("SELECT nth_value(age, 2) OVER (PARTITION BY id ORDER BY name) FROM singer",
                       "SELECT first_value(age) OVER (PARTITION BY id ORDER BY name) FROM singer")
                   .proof);
}

}  // namespace
}  // namespace trustsql::equiv
