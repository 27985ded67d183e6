// Groups and aggregates that the prover compares.
#include <gtest/gtest.h>

#include "unit/equiv/prover_fixture.hpp"

namespace trustsql::equiv {
namespace {

TEST_F(Prover, ComparesGroups) {
  same("SELECT s.id, count(*) FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.id",
       "SELECT c.singer_id, count(c.singer_id) FROM concert c, singer s WHERE c.singer_id = s.id GROUP BY c.singer_id, "
       "s.name");
  unknown("SELECT country, count(*) FROM singer GROUP BY country",
          "SELECT country, count(age) FROM singer GROUP BY country");
  unknown("SELECT count(*) FROM singer GROUP BY country", "SELECT count(*) FROM singer GROUP BY country, age");
  unknown("SELECT sum(age) FROM singer WHERE id > 5", "SELECT sum(age) FROM singer WHERE id > 5 GROUP BY 1 + 1");
  same("SELECT country, max(age) FROM singer WHERE age = 3 GROUP BY country",
       "SELECT country, max(3) FROM singer WHERE age = 3 GROUP BY country");
  same("SELECT country FROM singer GROUP BY country HAVING count(*) > 2 AND sum(age) > 10",
       "SELECT country FROM (SELECT country, sum(age) AS a, count(id) AS n FROM singer GROUP BY country) WHERE a > 10 "
       "AND n >= 3");
}

TEST_F(Prover, ComparesAggregatesOfPartsAndOfNothing) {
  same(
      "SELECT country, sum(n) FROM (SELECT country, age, count(*) AS n FROM singer GROUP BY country, age) GROUP BY "
      "country",
      "SELECT country, count(*) FROM singer GROUP BY country");
  same("SELECT max(m) FROM (SELECT max(age) AS m FROM singer UNION ALL SELECT max(year) FROM concert)",
       "SELECT max(age) FROM (SELECT age FROM singer UNION ALL SELECT year FROM concert)");
  // For no rows, the sum is NULL and the count 0.
  unknown("SELECT sum(n) FROM (SELECT count(*) AS n FROM singer GROUP BY age)", "SELECT count(*) FROM singer");
  same("SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM singer GROUP BY age)",
       "SELECT count(*) FROM singer");
  unknown(
      "SELECT country, avg(a) FROM (SELECT country, avg(age) AS a FROM singer GROUP BY country, id) GROUP BY country",
      "SELECT country, avg(id) FROM singer GROUP BY country");
  same("SELECT count(age), sum(age) FROM (SELECT DISTINCT age FROM singer)",
       "SELECT count(DISTINCT age), sum(DISTINCT age) FROM singer");
  unknown("SELECT count(*) FROM (SELECT DISTINCT age FROM singer)", "SELECT count(DISTINCT age) FROM singer");
  same("SELECT count(*) FILTER (WHERE 0), max(NULL), total(NULL), sum(age) FROM singer",
       "SELECT 0, NULL, 0.0, sum(age) FROM singer");
  // From SQLite 3.43 on, 2^53 + 1 is added up exactly as an integer, but not as a real.
  const char* const of_reals = "SELECT avg(CAST(age AS REAL)), total(CAST(age AS REAL)) FROM singer";
  const char* const of_integers = "SELECT avg(age), total(age) FROM singer";
  if (sqlite3_libversion_number() < 3'043'000) {
    same(of_reals, of_integers);
  } else {
    unknown(of_reals, of_integers);
  }
  unknown("SELECT avg(DISTINCT CAST(age AS REAL)) FROM singer", "SELECT avg(DISTINCT age) FROM singer");
}

TEST_F(Prover, MovesSemiJoinsBelowDistinct) {
  same("SELECT count(*) FROM (SELECT name FROM singer EXCEPT SELECT title FROM concert)",
       "SELECT count(*) FROM (SELECT DISTINCT name FROM singer) AS d WHERE NOT EXISTS (SELECT 1 FROM concert c WHERE "
       "c.title = d.name)");
  same(
      "SELECT country FROM singer s WHERE EXISTS (SELECT 1 FROM concert WHERE singer_id = s.id) OR EXISTS (SELECT 1 "
      "FROM ticket WHERE concert_id = s.id)",
      "SELECT s.country FROM singer s LEFT JOIN (SELECT DISTINCT singer_id, 1 AS i FROM concert) c ON c.singer_id = "
      "s.id "
      "LEFT JOIN (SELECT concert_id, 1 AS i FROM ticket GROUP BY concert_id) t ON t.concert_id = s.id WHERE c.i IS NOT "
      "NULL OR t.i IS NOT NULL");
}

TEST_F(Prover, CountsTheSetsThatHaveARow) {
  const std::string both =
      " FROM (SELECT name AS x, count(*) FROM singer GROUP BY name UNION ALL SELECT title, count(*) "
      "FROM concert GROUP BY title) GROUP BY x HAVING count(*) = 2";
  same("SELECT name FROM singer INTERSECT SELECT title FROM concert", "SELECT x" + both);
  unknown("SELECT name FROM singer UNION SELECT title FROM concert", "SELECT x" + both);
  unknown("SELECT name FROM singer INTERSECT SELECT title FROM concert",
          "SELECT x FROM (SELECT name AS x FROM singer UNION ALL SELECT title FROM concert) GROUP BY x HAVING count(*) "
          "= 2");
}

TEST_F(Prover, MultipliesWhatGroupsCounted) {
  const std::string names = "(SELECT name AS x, count(*) AS n, sum(age) AS s FROM singer GROUP BY name)";
  const std::string titles = "(SELECT title AS y, count(*) AS m, count(year) AS k FROM concert GROUP BY title)";
  const std::string rows = " FROM singer s JOIN concert c ON s.name = c.title";
  const std::string groups = " FROM " + names + " JOIN " + titles + " ON x = y";
  same("SELECT count(*)" + rows, "SELECT coalesce(sum(n * m), 0)" + groups);
  same("SELECT s.name, sum(s.age), count(*)" + rows + " GROUP BY s.name",
       "SELECT x, sum(m * s), sum(n * m)" + groups + " GROUP BY x");
  same("SELECT s.name, sum(s.age)" + rows + " GROUP BY s.name, c.title", "SELECT x, m * s" + groups);
  same("SELECT s.name, sum(c.year)" + rows + " GROUP BY s.name",
       "SELECT x, sum(n * c.year) FROM " + names + " JOIN concert c ON x = c.title GROUP BY x", everything);
  same("SELECT s.name, min(s.age)" + rows + " GROUP BY s.name",
       "SELECT x, min(a) FROM (SELECT name AS x, min(age) AS a FROM singer GROUP BY name) JOIN concert ON x = title "
       "GROUP BY x");
  unknown("SELECT count(*)" + rows, "SELECT sum(n * m)" + groups);
  unknown("SELECT count(*)" + rows, "SELECT coalesce(sum(n), 0)" + groups);
  unknown("SELECT s.name, sum(s.age)" + rows + " GROUP BY s.name", "SELECT x, sum(s)" + groups + " GROUP BY x");
  unknown("SELECT s.name, sum(c.year)" + rows + " GROUP BY s.name",
          "SELECT x, sum(n * c.year) FROM " + names + " JOIN concert c ON x = c.title GROUP BY x");
}

TEST_F(Prover, TakesSumsOfUnionsApart) {
  same(
      "SELECT s.name FROM singer s JOIN (SELECT year FROM concert UNION ALL SELECT year FROM concert WHERE id > 1) c "
      "ON c.year = s.age",
      "SELECT s.name FROM concert c, singer s WHERE c.year = s.age AND c.id > 1 UNION ALL SELECT s.name FROM singer s "
      "JOIN concert c ON s.age = "
      "c.year");
  unknown("SELECT name FROM singer UNION ALL SELECT name FROM singer", "SELECT name FROM singer");
}

TEST_F(Prover, TheRowThatIsMadeOfNoRowsMayGo) {
  const ProveOptions tolerant{.ignore_empty_aggregate_row = true};
  same("SELECT max(age) FROM singer WHERE id > 3", "SELECT age FROM singer WHERE id > 3 ORDER BY age DESC LIMIT 1",
       tolerant);
  same("SELECT count(*) FROM singer WHERE age = 3", "SELECT count(*) FROM singer WHERE age = 3 GROUP BY age", tolerant);
  unknown("SELECT count(*) FROM singer WHERE age = 3", "SELECT count(*) FROM singer WHERE age = 3 GROUP BY age");
  // NULLs come first.
  unknown("SELECT min(age) FROM singer", "SELECT age FROM singer ORDER BY age LIMIT 1", ProofGap::Kind::different_trees,
          tolerant);
  same("SELECT min(id) FROM singer", "SELECT id FROM singer ORDER BY id LIMIT 1", tolerant);
  // A row that is more than NULLs and zeros; two rows that differ.
  unknown("SELECT coalesce(max(age), 7) FROM singer", "SELECT coalesce(age, 7) FROM singer ORDER BY age DESC LIMIT 1",
          ProofGap::Kind::different_trees, tolerant);
  unknown("SELECT count(*) FROM singer", "SELECT sum(1) FROM singer", ProofGap::Kind::different_trees, tolerant);
}

TEST_F(Prover, ComparesConditionsOnAggregates) {
  same(
      "SELECT s.id, max(c.year) FROM singer s LEFT JOIN concert c ON c.singer_id = s.id GROUP BY s.id HAVING "
      "max(c.year) = 3",
      "SELECT s.id, max(c.year) FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.id HAVING max(c.year) = "
      "3");
  unknown(
      "SELECT s.id, count(*) FROM singer s LEFT JOIN concert c ON c.singer_id = s.id GROUP BY s.id HAVING count(*) = 1",
      "SELECT s.id, count(*) FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.id HAVING count(*) = 1");
  unknown("SELECT country, max(age), count(*) FROM singer GROUP BY country HAVING max(age) > 3",
          "SELECT country, max(age), count(*) FROM singer WHERE age IS NOT NULL GROUP BY country HAVING max(age) > 3");
  same("SELECT country, sum(age > 3 IS TRUE) FROM singer GROUP BY country",
       "SELECT country, count(CASE WHEN age > 3 THEN 1 END) FROM singer GROUP BY country");
}

TEST_F(Prover, ComparesGroupsThatAreJoinedWithGroupsOfJoinedRows) {
  same("SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert GROUP BY singer_id HAVING count(*) > 3)",
       "SELECT s.name FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.id, s.name HAVING count(*) > 3");
  same(
      "SELECT s.name, d.n FROM singer s JOIN (SELECT singer_id AS k, count(*) AS n FROM concert GROUP BY singer_id) d "
      "ON d.k = s.id",
      "SELECT s.name, count(*) FROM singer s, concert c WHERE c.singer_id = s.id GROUP BY s.id");
  same(
      "SELECT s.country, sum(d.n) FROM singer s JOIN (SELECT singer_id AS k, count(*) AS n FROM concert GROUP BY 1) d "
      "ON d.k = s.id GROUP BY 1",
      "SELECT s.country, count(*) FROM singer s, concert c WHERE c.singer_id = s.id GROUP BY s.country");
  // Singers with the same name are one group there.
  unknown("SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert GROUP BY singer_id HAVING count(*) > 3)",
          "SELECT s.name FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY s.name HAVING count(*) > 3");
  // Rows of singers that are joined by age occur several times.
  unknown(
      "SELECT s.age, d.n FROM singer s JOIN (SELECT year AS k, count(*) AS n FROM concert GROUP BY year) d ON d.k = "
      "s.age",
      "SELECT s.age, count(*) FROM singer s, concert c WHERE c.year = s.age GROUP BY s.age");
  same("SELECT count(*) FROM (SELECT DISTINCT country FROM singer WHERE country > 'a')",
       "SELECT count(DISTINCT country) FROM singer WHERE country > 'a'");
  unknown("SELECT count(*) FROM (SELECT DISTINCT country FROM singer)", "SELECT count(DISTINCT country) FROM singer");
}

TEST_F(Prover, CountsAskForRows) {
  const std::string of_singer = "concert AS c WHERE c.singer_id = s.id";
  const std::string without = "SELECT name FROM singer AS s WHERE NOT EXISTS (SELECT 1 FROM " + of_singer + ")";
  const std::string with = "SELECT name FROM singer AS s WHERE EXISTS (SELECT 1 FROM " + of_singer + ")";
  same("SELECT name FROM singer AS s WHERE (SELECT count(*) FROM " + of_singer + ") = 0", without);
  same("SELECT name FROM singer AS s WHERE (SELECT count(title) FROM " + of_singer + " AND title IS NOT NULL) < 1",
       "SELECT name FROM singer AS s WHERE NOT EXISTS (SELECT 1 FROM " + of_singer + " AND title IS NOT NULL)");
  same("SELECT name FROM singer AS s WHERE 0 < (SELECT count(*) FROM " + of_singer + ")", with);
  same(
      "SELECT s.name FROM singer AS s LEFT JOIN concert AS c ON c.singer_id = s.id GROUP BY s.id HAVING count(c.id) = "
      "0",
      without);
  same("SELECT name FROM singer CROSS JOIN (SELECT count(*) AS n FROM concert) WHERE n <> 0",
       "SELECT name FROM singer WHERE EXISTS (SELECT * FROM concert)");
  unknown("SELECT name FROM singer AS s WHERE (SELECT count(*) FROM " + of_singer + ") = 1", without);
  unknown("SELECT name FROM singer AS s WHERE (SELECT count(*) FROM " + of_singer + ") > 1", with);
  unknown("SELECT name FROM singer AS s WHERE (SELECT count(title) FROM " + of_singer + ") = 0", without);
  unknown("SELECT name FROM singer AS s WHERE (SELECT sum(year) FROM " + of_singer + ") > 0", with);
  EXPECT_FALSE(
      attempt("SELECT name FROM singer AS s WHERE (SELECT count(*) FROM " + of_singer + " GROUP BY year) = 0", without)
          .proof);
  // Several singers have one name, and a title may be NULL in a concert.
  unknown(
      "SELECT s.name FROM singer AS s LEFT JOIN concert AS c ON c.singer_id = s.id GROUP BY s.name HAVING count(c.id) "
      "= 0",
      without);
  unknown(
      "SELECT s.name FROM singer AS s LEFT JOIN concert AS c ON c.singer_id = s.id GROUP BY s.id HAVING count(title) = "
      "0",
      without);
}

TEST_F(Prover, NotInByCounting) {
  const std::string not_in = "SELECT name FROM singer WHERE age NOT IN (SELECT z FROM odd WHERE x > 3)";
  const std::string counted =
      "SELECT name FROM singer CROSS JOIN (SELECT count(*) AS c, count(z) AS k FROM odd WHERE x > 3) AS n "
      "LEFT JOIN (SELECT DISTINCT z, 1 AS i FROM odd WHERE x > 3) AS d ON d.z = age WHERE ";
  same(not_in, counted + "c = 0 OR (i IS NULL AND k >= c AND age IS NOT NULL)");
  same(not_in, counted +
                   "NOT CASE WHEN c = 0 THEN 0 WHEN i IS NOT NULL THEN 1 WHEN age IS NULL THEN NULL "
                   "WHEN k < c THEN NULL ELSE 0 END");
  same("SELECT name FROM singer WHERE id NOT IN (SELECT z FROM odd)",
       "SELECT name FROM singer CROSS JOIN (SELECT count(*) AS c, count(z) AS k FROM odd) AS n "
       "LEFT JOIN (SELECT DISTINCT z, 1 AS i FROM odd) AS d ON d.z = id WHERE c = 0 OR (i IS NULL AND k >= c)");
  // NULLs that are forgotten.
  unknown(not_in, counted + "c = 0 OR (i IS NULL AND k >= c)");
  unknown(not_in, counted + "c = 0 OR (i IS NULL AND age IS NOT NULL)");
  unknown(not_in, counted + "i IS NULL AND k >= c AND age IS NOT NULL");
  unknown(not_in, counted + "c = 0 OR (i IS NULL AND k <= c AND age IS NOT NULL)");
  unknown(not_in, "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM odd WHERE x > 3 AND z = age)");
  unknown(
      "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM odd WHERE x > 3) OR NOT EXISTS (SELECT 1 FROM odd "
      "WHERE x > 2 AND z = age)",
      "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM odd WHERE x > 2 AND z = age)");
}

TEST_F(Prover, RowsOfAggregatesBesideOthers) {
  same(
      "SELECT CASE WHEN (SELECT count(*) FROM singer WHERE age > 3) > 9 THEN (SELECT avg(age) FROM singer WHERE age > "
      "3) "
      "ELSE (SELECT max(name) FROM singer WHERE age > 3) END FROM ticket",
      "SELECT CASE WHEN n > 9 THEN a ELSE m END FROM ticket CROSS JOIN (SELECT count(*) AS n, avg(age) AS a, max(name) "
      "AS m FROM singer WHERE 3 < age)");
  same(
      "SELECT year, sum(c.id), t FROM concert AS c, (SELECT sum(id) AS t FROM concert) GROUP BY year, t HAVING "
      "sum(c.id) > t",
      "SELECT g.year, g.s, d.t FROM (SELECT year, sum(id) AS s FROM concert GROUP BY year) AS g JOIN (SELECT sum(id) "
      "AS t "
      "FROM concert) AS d ON g.s > d.t");
  unknown("SELECT (SELECT count(*) FROM singer WHERE age > 3), (SELECT max(age) FROM singer WHERE age > 3) FROM ticket",
          "SELECT n, m FROM ticket, (SELECT count(*) AS n, max(age) AS m FROM singer WHERE age >= 3)");
  unknown("SELECT (SELECT count(*) FROM singer WHERE age > 3), (SELECT max(age) FROM singer WHERE age > 3) FROM ticket",
          "SELECT n, m FROM ticket, (SELECT count(*) AS n, max(age) AS m FROM singer WHERE age > 3 GROUP BY country)");
  unknown(
      "SELECT year, count(*), t FROM concert AS c, (SELECT age AS t FROM singer) GROUP BY year, t",
      "SELECT g.year, g.n, d.t FROM (SELECT year, count(*) AS n FROM concert GROUP BY year) AS g, (SELECT DISTINCT age "
      "AS t FROM singer) AS d");
}

TEST_F(Prover, GroupsWithEachOfSeveralValues) {
  const std::string rows = "FROM singer AS s JOIN concert AS c ON c.singer_id = s.id WHERE ";
  const std::string both = "SELECT s.age " + rows + "c.year = 1 INTERSECT SELECT s.age " + rows + "c.year = 2";
  const auto counted = [&](const std::string& values, const std::string& condition) {
    return "SELECT s.age " + rows + "c.year IN " + values + " GROUP BY s.age HAVING " + condition;
  };
  same(counted("(1, 2)", "count(DISTINCT c.year) = 2"), both, everything);
  same("SELECT s.name " + rows + "c.title IN ('a', 'b') GROUP BY s.name HAVING count(DISTINCT c.title) = 2",
       "SELECT s.name " + rows + "c.title = 'a' INTERSECT SELECT s.name " + rows + "c.title = 'b'");
  const auto not_proved = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(attempt(a, b, everything).proof) << a << "\n" << b;
    EXPECT_FALSE(attempt(b, a, everything).proof) << b << "\n" << a;
  };
  not_proved(counted("(1, 2)", "count(c.year) = 2"), both);
  not_proved(counted("(1, 2, 3)", "count(DISTINCT c.year) = 2"), both);
  not_proved(counted("(1, 2)", "count(DISTINCT c.title) = 2"), both);
  not_proved(counted("(1, 2)", "count(DISTINCT c.year) >= 1"), both);
  not_proved(counted("(1, 1.0)", "count(DISTINCT c.year) = 2"), both);
  not_proved(counted("(1, NULL)", "count(DISTINCT c.year) = 2"), both);
  // 'a' and 'A' are one value under NOCASE.
  not_proved("SELECT x FROM odd WHERE y IN ('a', 'A') GROUP BY x HAVING count(DISTINCT y) = 2",
             "SELECT x FROM odd WHERE y = 'a' INTERSECT SELECT x FROM odd WHERE y = 'A'");
}

}  // namespace
}  // namespace trustsql::equiv
