#include "equiv/difference_explanation.hpp"

#include <gtest/gtest.h>

#include "equiv/explanation/clause_differences.hpp"
#include "equiv/explanation/result_words.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* stage =
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, country TEXT);"
    "CREATE TABLE concert(id INTEGER PRIMARY KEY, singer INT NOT NULL REFERENCES singer(id), year INT NOT NULL,"
    " place TEXT);";

std::string phrases(const RefuterGround& ground, const std::string& a, const std::string& b) {
  const auto clauses = [&](const std::string& sql) {
    auto plan = plan::plan_query(sql, ground.catalog());
    EXPECT_TRUE(plan.ok()) << sql;
    return explanation::clauses_of(plan::normalise(*std::move(plan), {.assume = plan::Assume::nothing(),
                                                                      .rules = explanation::rules_within_clauses()})
                                       .plan);
  };
  std::string all;
  for (const auto& phrase : explanation::clause_differences(clauses(a), clauses(b), "a"))
    all += (all.empty() ? "" : "; ") + phrase;
  return all;
}

struct ClausePair {
  const char* a;
  const char* b;
  const char* phrases;
};

TEST(DifferenceExplanation, Clauses) {
  RefuterGround ground(stage);
  const ClausePair pairs[] = {
      {"SELECT name FROM singer WHERE age > 20", "SELECT name FROM singer WHERE age > 30",
       "requires age > 30 instead of age > 20"},
      // The normal forms are compared, so the same condition in another form is no difference.
      {"SELECT name FROM singer WHERE NOT age <= 20 AND id = 3", "SELECT name FROM singer WHERE age > 20",
       "does not require id = 3"},
      {"SELECT name FROM singer", "SELECT name FROM singer WHERE age > 3", "also requires age > 3"},
      {"SELECT name FROM singer", "SELECT DISTINCT name FROM singer", "removes duplicate rows"},
      {"SELECT DISTINCT name FROM singer", "SELECT name FROM singer", "does not remove duplicate rows"},
      {"SELECT name, age FROM singer", "SELECT name FROM singer", "does not return age"},
      {"SELECT name FROM singer", "SELECT name, age FROM singer", "also returns age"},
      {"SELECT name FROM singer", "SELECT country FROM singer", "returns country instead of name"},
      {"SELECT name, id FROM singer", "SELECT id, name FROM singer",
       "returns its columns in another order (id, name instead of name, id)"},
      {"SELECT max(age) FROM singer", "SELECT min(age) FROM singer", "returns min(age) instead of max(age)"},
      {"SELECT country, count(*) FROM singer GROUP BY country",
       "SELECT country, count(*) FROM singer GROUP BY country, age", "also groups by age"},
      {"SELECT country FROM singer GROUP BY country HAVING count(*) > 2",
       "SELECT country FROM singer GROUP BY country HAVING count(*) > 3",
       "keeps groups with count(*) >= 4 instead of count(*) >= 3"},
      {"SELECT name FROM singer ORDER BY id", "SELECT name FROM singer ORDER BY id DESC",
       "sorts by id in descending instead of ascending order"},
      {"SELECT name FROM singer ORDER BY id", "SELECT name FROM singer", "does not sort by id"},
      {"SELECT name FROM singer ORDER BY id LIMIT 3", "SELECT name FROM singer ORDER BY id LIMIT 4",
       "returns the first 4 rows instead of 3"},
      {"SELECT name FROM singer ORDER BY id LIMIT 1", "SELECT name FROM singer ORDER BY id",
       "returns all rows and not only the first row"},
      {"SELECT name FROM singer JOIN concert ON singer.id = singer",
       "SELECT name FROM singer LEFT JOIN concert ON singer.id = singer",
       "also keeps the rows that have no match in concert"},
      {"SELECT id FROM concert", "SELECT c.id FROM concert AS c JOIN singer AS s ON s.id = c.singer",
       "also joins singer on concert.singer = singer.id"},
      {"SELECT name FROM singer WHERE id IN (SELECT singer FROM concert)",
       "SELECT name FROM singer JOIN concert ON singer.id = singer",
       "joins concert, with a row for each match, where a only asks whether there is one"},
      {"SELECT name FROM singer WHERE id NOT IN (SELECT singer FROM concert)",
       "SELECT name FROM singer WHERE id IN (SELECT singer FROM concert)",
       "requires singer.id IN (SELECT singer FROM concert) instead of singer.id NOT IN (SELECT singer FROM concert)"},
      {"SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)",
       "SELECT name FROM singer WHERE age = (SELECT min(age) FROM singer)",
       "requires age = (SELECT min(age) FROM singer) instead of age = (SELECT max(age) FROM singer)"},
      {"SELECT name FROM singer WHERE age > 20 AND country = 'x'",
       "SELECT name FROM singer WHERE age > 20 OR country = 'x'",
       "requires country = 'x' OR age > 20 instead of country = 'x' AND age > 20"},
      {"SELECT name FROM singer WHERE id = 1", "SELECT name FROM singer WHERE id = 1 AND id = 2",
       "finds no rows, since its conditions contradict each other"},
      {"SELECT name FROM singer WHERE age > 2", "SELECT name FROM singer WHERE NOT age <= 2", ""},
      {"SELECT name FROM singer UNION SELECT place FROM concert",
       "SELECT name FROM singer WHERE age > 1 UNION SELECT place FROM concert",
       "also requires age > 1 in the part that reads singer"},
      {"SELECT 'hi', count(*) FROM singer WHERE age > 2 UNION ALL SELECT 'lo', count(*) FROM singer WHERE age <= 2",
       "SELECT 'hi', count(*) FROM singer WHERE age > 3 UNION ALL SELECT 'lo', count(*) FROM singer WHERE age <= 2",
       "requires age > 3 instead of age > 2 in one part"},
      {"SELECT name FROM singer UNION ALL SELECT place FROM concert",
       "SELECT name FROM singer UNION ALL SELECT place FROM concert UNION ALL SELECT country FROM singer",
       "also has the part SELECT singer.country FROM singer"},
  };
  for (const auto& pair : pairs) EXPECT_EQ(phrases(ground, pair.a, pair.b), pair.phrases) << pair.a << "\n" << pair.b;
}

TEST(DifferenceExplanation, Results) {
  const auto result = [](std::vector<std::vector<std::optional<std::string>>> rows) {
    ResultSet set(std::vector<std::string>(rows.empty() ? 1 : rows.front().size(), "c"));
    for (const auto& row : rows) {
      for (const auto& value : row) set.append(value ? ValueView::of_text(*value) : ValueView::null());
    }
    return set;
  };
  const auto words = [&](const ResultSet& a, const ResultSet& b, Deviations deviations = {}) {
    return explanation::result_difference_words(a, b, deviations, "a", "b");
  };
  const auto x = result({{"x"}});
  const auto none = result({});
  EXPECT_EQ(words(x, none), "only a returns ('x')");
  EXPECT_EQ(words(none, result({{"x"}, {"y"}})), "only b returns ('x') and ('y')");
  EXPECT_EQ(words(result({{std::nullopt}}), none, {Deviation::empty}), "a returns (NULL) and b returns no row");
  EXPECT_EQ(words(x, result({{"y"}})), "a gives 'x' and b gives 'y'");
  EXPECT_EQ(words(result({{"x", "y"}}), result({{"x", std::nullopt}})),
            "a returns ('x', 'y') and b returns ('x', NULL)");
  EXPECT_EQ(words(result({{"x"}, {"x"}, {"x"}}), x, {Deviation::duplicates}), "a returns ('x') 3 times and b once");
  EXPECT_EQ(words(result({{"x"}, {"y"}}), result({{"x"}, {"y"}, {"z"}})), "only b returns ('z')");
  EXPECT_EQ(words(result({{"x"}, {"y"}}), result({{"x"}, {"z"}})), "a returns ('y') where b returns ('z')");
  EXPECT_EQ(words(result({{"x"}, {"y"}}), result({{"y"}, {"x"}}), {Deviation::row_order}),
            "a returns ('x') first and b ('y')");
  EXPECT_EQ(words(none, result({{"p"}, {"q"}, {"r"}, {"s"}})), "only b returns ('p'), ('q') and 2 rows more");
}

TEST(DifferenceExplanation, Data) {
  EXPECT_EQ(explanation::data_words("CREATE TABLE t(a, b);\nINSERT INTO t(a, b) VALUES (1, 'x;,)');\n-- a: SELECT 1\n"),
            "with the row (a 1, b 'x;,)') in t");
  EXPECT_EQ(explanation::data_words("CREATE TABLE t(a);\nINSERT INTO t(a) VALUES\n  (1),\n  (NULL);\n"
                                    "INSERT INTO aux.u(\"b c\") VALUES (CAST(X'00' AS TEXT));\n"),
            "with the rows (a 1) and (a NULL) in t and the row (\"b c\" CAST(X'00' AS TEXT)) in u");
  EXPECT_EQ(explanation::data_words("CREATE TABLE t(a);\n"), "on empty tables");
  EXPECT_EQ(explanation::data_words("INSERT INTO t DEFAULT VALUES;"), std::nullopt);
  std::string long_text = "INSERT INTO t(a) VALUES ('" + std::string(500, 'x') + "');";
  EXPECT_EQ(explanation::data_words(long_text), std::nullopt);
}

TEST(DifferenceExplanation, Deviations) {
  EXPECT_EQ(explanation::deviation_words({}), "");
  EXPECT_EQ(explanation::deviation_words({Deviation::duplicates, Deviation::null, Deviation::foreign_key}),
            "where a value is NULL and a foreign key refers to no row");
}

// Sentences are whole, for any names of the queries and for queries that have no plan.
TEST(DifferenceExplanation, Sentences) {
  RefuterGround ground(stage);
  const auto sentence = [&](const std::string& a, const std::string& b, const QueryNames& names) {
    const auto counterexample = ground.counterexample(a, b, {.best_grade = true});
    return explain_difference(a, b, counterexample, ground.catalog(), {}, names, {});
  };
  EXPECT_EQ(sentence("SELECT max(age) FROM singer", "SELECT age FROM singer ORDER BY age DESC LIMIT 1", {}),
            "On empty tables, a returns (NULL) and b returns no row.");
  const auto of_report =
      sentence("SELECT count(*) FROM singer", "SELECT count(age) FROM singer", {"the gold query", "the prediction"});
  EXPECT_TRUE(of_report.starts_with("The prediction returns count(age) instead of count(*): with the row ("))
      << of_report;
  EXPECT_TRUE(
      of_report.ends_with("the gold query gives 1 and the prediction gives 0; the difference shows only where a "
                          "value is NULL."))
      << of_report;
  EXPECT_TRUE(sentence("SELECT name FROM singer UNION SELECT place FROM concert",
                       "SELECT name FROM singer UNION ALL SELECT place FROM concert", {})
                  .starts_with("b combines its parts by UNION ALL instead of UNION: "));
}

}  // namespace
}  // namespace trustsql::equiv
