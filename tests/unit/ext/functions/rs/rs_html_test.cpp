// rs_html in a connection: what it reads, and that its numbers are those of rs_report, rs_curve and rs_threshold.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "trustsql/trustsql.h"
#include "unit/ext/support.hpp"
#include "unit/score/report/markup_checker.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;
using trustsql::testing_support::read_markup;

// Three systems, a group that is NULL in places, a hostile name.
constexpr const char* report_setup = R"sql(
  CREATE TABLE t(system TEXT, id INTEGER, "case" TEXT, confidence REAL, hardness TEXT, type TEXT, other INTEGER);
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 89),
       s(system, k) AS (VALUES ('one', 3), ('<b>two</b>', 5), ('three', 7))
  INSERT INTO t SELECT system, i, CASE WHEN i % 3 = 0 THEN CASE WHEN (i * k / 3) % 4 = 0 THEN 'IV' ELSE 'V' END
                                       WHEN i * k % 11 < 7 THEN 'I' WHEN i * k % 11 < 9 THEN 'III' ELSE 'II' END,
    CASE WHEN system <> 'three' OR i % 2 = 0 THEN (i * k % 97) / 97.0 END,
    CASE WHEN i % 3 <> 0 THEN CASE WHEN i % 2 = 0 THEN 'easy' ELSE 'hard' END END, 'same', i % 9 FROM n, s;
)sql";

// Every number of a row of `query` is in the page as <data value>, in this order, somewhere after `from`. SQLite's
// texts of reals have 15 digits.
void expect_numbers(Database& db, const std::string& html, const std::string& from, const std::string& query) {
  const auto start = html.find(from);
  ASSERT_NE(start, std::string::npos) << from;
  std::vector<double> shown;
  for (auto position = html.find("<data value=\"", start); position != std::string::npos;
       position = html.find("<data value=\"", position + 1))
    shown.push_back(std::stod(html.substr(position + 13, 40)));
  const auto rows = db.rows(query);
  EXPECT_GT(rows.size(), 1U);
  for (const auto& row : rows) {
    auto next = shown.begin();
    for (const auto& value : row) {
      if (value == "NULL") continue;
      const double wanted = std::stod(value);
      next = std::find_if(next, shown.end(),
                          [&](double number) { return std::abs(number - wanted) <= 1e-13 * std::abs(wanted); });
      ASSERT_NE(next, shown.end()) << from << ": " << value;
      ++next;
    }
  }
}

TEST(RsHtml, NumbersAreThoseOfTheTables) {
  Database db(report_setup);
  db.load(sqlite3_trustsql_init);
  const std::string html = db.value("SELECT rs_html('t', '{\"c\":2}')");
  const auto markup = read_markup(html);
  ASSERT_EQ(markup.error, "");
  const auto images = markup.named("svg");
  EXPECT_EQ(
      std::count_if(images.begin(), images.end(), [](const auto* image) { return image->attributes.contains("role"); }),
      2 + 1 + 2);
  EXPECT_TRUE(markup.named("b").size() >= 2);
  EXPECT_EQ(html.find("<b>two</b>"), std::string::npos);
  expect_numbers(db, html, "<caption id=\"scores\"",
                 "SELECT rs_0, rs_0_low, rs_0_high, rs_10, rs_10_low, rs_10_high, rs_n, rs_n_low, rs_n_high, rs_c, "
                 "rs_c_low, rs_c_high, coverage, "
                 "precision FROM rs_report('t', '{\"c\":2}')");
  expect_numbers(db, html, "<caption id=\"cases\"", "SELECT n, i, ii, iii, iv, v FROM rs_report('t', '{\"c\":2}')");
  expect_numbers(db, html, "<caption id=\"feasible\"",
                 "SELECT feasible_rs_0, feasible_rs_10, feasible_rs_n FROM rs_report('t', '{\"c\":2}')");
  expect_numbers(db, html, "<caption id=\"by-0-1\"",
                 "SELECT max(rs_10) FILTER (WHERE grp1 IS NULL), max(rs_10) FILTER (WHERE grp1 = 'easy'), max(rs_10) "
                 "FILTER (WHERE grp1 = 'hard') "
                 "FROM rs_report('t', '{\"by\":\"hardness\"}') WHERE level = 'group' GROUP BY system");
  expect_numbers(db, html, "<caption id=\"thresholds\"",
                 "WITH chosen(system, at) AS (SELECT system, rs_threshold(confidence, \"case\") FROM t WHERE system <> "
                 "'three' GROUP BY system) "
                 "SELECT at, answers, coverage, selective_risk, rs_0, rs_10, rs_n FROM chosen JOIN rs_curve('SELECT * "
                 "FROM t WHERE system <> ''three''') c "
                 "USING (system) WHERE c.confidence = at");
  EXPECT_NE(html.find("hence not ranked: three."), std::string::npos);
}

TEST(RsHtml, SectionsForTheUsualGroupsThatDiffer) {
  Database db(report_setup);
  db.load(sqlite3_trustsql_init);
  const std::string usual = db.value("SELECT rs_html('t')");
  EXPECT_NE(usual.find("<h2>By hardness</h2>"), std::string::npos);
  EXPECT_EQ(usual.find("<h2>By type</h2>"), std::string::npos);  // the same in every row
  const std::string chosen = db.value("SELECT rs_html('t', '{\"by\":[\"type\",\"other\"],\"title\":\"A & B\"}')");
  EXPECT_NE(chosen.find("<h1>A &amp; B</h1>"), std::string::npos);
  EXPECT_EQ(chosen.find("<h2>By hardness</h2>"), std::string::npos);
  EXPECT_NE(chosen.find("<h2>By type</h2>"), std::string::npos);
  EXPECT_NE(chosen.find("<h2>By other</h2>"), std::string::npos);
  EXPECT_EQ(db.value("SELECT rs_html('t', '{\"by\":[]}')").find("<h2>By"), std::string::npos);
  EXPECT_NE(db.value("SELECT rs_html('t', '{\"method\":\"selective_risk\",\"alpha\":0.3}')")
                .find("at most 30% of the answers wrong"),
            std::string::npos);
  EXPECT_NE(db.value("SELECT rs_html('t', '{\"method\":\"rs\",\"c\":\"N\"}')").find("at which RS(N) is largest"),
            std::string::npos);
}

TEST(RsHtml, BadArgumentsAreErrors) {
  Database db(report_setup);
  db.load(sqlite3_trustsql_init);
  EXPECT_NE(db.error("SELECT rs_html('nope')").find("rs_html: the source 'nope' cannot be read"), std::string::npos);
  EXPECT_NE(db.error("SELECT rs_html('SELECT 1 AS x')").find("neither a column 'case'"), std::string::npos);
  EXPECT_NE(db.error("SELECT rs_html('t', '{\"by\":[\"nope\"]}')").find("no column 'nope'"), std::string::npos);
  EXPECT_NE(db.error("SELECT rs_html('t', '{\"colour\":1}')").find("unknown option 'colour'"), std::string::npos);
  EXPECT_NE(db.error("SELECT rs_html('t', '{\"c\":-1}')"), "");
  EXPECT_NE(
      db.error("SELECT rs_html('t', '{\"by\":[\"hardness\",\"type\",\"other\",\"id\",\"system\"]}')").find("at most 4"),
      std::string::npos);
  EXPECT_NE(db.error("CREATE VIEW v AS SELECT rs_html('t'); SELECT * FROM v").find("unsafe use"), std::string::npos);
  EXPECT_EQ(db.value("SELECT rs_html(NULL)"), "NULL");
  const std::string empty = db.value("SELECT rs_html('SELECT * FROM t WHERE 0')");
  EXPECT_EQ(read_markup(empty).error, "");
}

}  // namespace
}  // namespace trustsql::ext
