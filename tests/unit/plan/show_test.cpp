// The forms in which a plan is shown, on worked examples.
#include "plan/show.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/plan/plan_of.hpp"

namespace trustsql::plan {
namespace {

using testing_support::PlanMaker;

constexpr const char* shown_schema =
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, age INT); CREATE TABLE song(id INT, singer INT, title TEXT "
    "COLLATE NOCASE);";

TEST(PlanText, HasALineForEachOperator) {
  PlanMaker maker(shown_schema);
  EXPECT_EQ(plan_text(maker.plan("SELECT s.name AS who, count(*) FROM singer s JOIN song ON s.id = song.singer WHERE "
                                 "s.age > 20 OR title = 'x' GROUP BY s.name "
                                 "HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 3"),
                      Naming::query),
            "Limit 3\n"
            "  Sort by count DESC\n"
            "    Project s.name, count\n"
            "      Filter count > 1\n"
            "        Aggregate count(*) AS count by s.name\n"
            "          Filter s.age > 20 OR song.title = 'x' COLLATE NOCASE\n"
            "            Join inner on s.id = song.singer\n"
            "              Scan singer AS s (id, name, age)\n"
            "              Scan song (singer, title)\n");
}

TEST(PlanText, ShowsSubqueriesBelowTheirOperator) {
  PlanMaker maker(shown_schema);
  EXPECT_EQ(
      plan_text(
          maker.plan(
              "SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer) AND id IN (SELECT singer FROM song)"),
          Naming::query),
      "Project singer.name\n"
      "  Filter singer.age > subquery1 AND singer.id IN subquery2\n"
      "    Scan singer (id, name, age)\n"
      "    subquery1: Project avg\n"
      "      Aggregate avg(singer_2.age) AS avg\n"
      "        Scan singer AS singer_2 (age)\n"
      "    subquery2: Project song.singer\n"
      "      Scan song (singer)\n");
}

TEST(PlanText, CanonicalNamesAreThoseOfTablesAndFunctions) {
  PlanMaker maker(shown_schema);
  EXPECT_EQ(plan_text(maker.plan("SELECT x.name AS a, y.age + 1 AS b FROM singer x, singer y"), Naming::canonical),
            "Project singer.name, singer_2.age + 1 AS expr\n"
            "  Join inner\n"
            "    Scan singer (name)\n"
            "    Scan singer AS singer_2 (age)\n");
}

TEST(PlanText, OtherOperators) {
  PlanMaker maker(shown_schema);
  EXPECT_EQ(
      plan_text(
          maker.plan("SELECT age, rank() OVER (PARTITION BY name ORDER BY age DESC ROWS 1 PRECEDING) AS r FROM singer"),
          Naming::query),
      "Project singer.age, rank\n"
      "  Window rank() OVER (PARTITION BY singer.name ORDER BY singer.age DESC ROWS BETWEEN 1 PRECEDING AND CURRENT "
      "ROW) AS rank\n"
      "    Scan singer (name, age)\n");
  EXPECT_EQ(plan_text(maker.plan("SELECT title FROM song EXCEPT SELECT name FROM singer ORDER BY 1 LIMIT 1 OFFSET 2"),
                      Naming::query),
            "Limit 1 offset 2\n"
            "  Sort by title COLLATE NOCASE\n"
            "    Except COLLATE NOCASE\n"
            "      Project song.title\n"
            "        Scan song (title)\n"
            "      Project singer.name\n"
            "        Scan singer (name)\n");
  EXPECT_EQ(
      plan_text(maker.plan(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 3) SELECT DISTINCT i FROM n"),
                Naming::query),
      "Distinct\n"
      "  Project i_2\n"
      "    Derived common table AS n\n"
      "      Recursive 0 distinct\n"
      "        Project 1 AS `1`\n"
      "          Values ()\n"
      "        Project i + 1 AS `i + 1`\n"
      "          Filter i < 3\n"
      "            RecursiveRef 0\n");
}

TEST(PlanJson, IsATreeOfOperators) {
  PlanMaker maker(shown_schema);
  const auto json = nlohmann::json::parse(plan_json(
      maker.plan("SELECT name FROM singer s WHERE EXISTS (SELECT 1 FROM song WHERE singer = s.id)"), Naming::query));
  EXPECT_EQ(json.at("op"), "Project");
  EXPECT_EQ(json.at("columns"), nlohmann::json::array({"s.name"}));
  const auto& filter = json.at("inputs").at(0);
  EXPECT_EQ(filter.at("conjuncts").at(0), "EXISTS (SELECT * FROM subquery1)");
  EXPECT_EQ(filter.at("inputs").at(0),
            nlohmann::json::parse(
                R"({"op":"Scan","table":"singer","alias":"s","reads":["id","name"],"columns":["s.id","s.name"]
})"));
  EXPECT_EQ(filter.at("subqueries").at(0).at("name"), "subquery1");
  EXPECT_EQ(filter.at("subqueries").at(0).at("plan").at("inputs").at(0).at("conjuncts").at(0), "song.singer = s.id");
}

TEST(PlanDot, HasABoxForEachOperator) {
  PlanMaker maker(shown_schema);
  EXPECT_EQ(plan_dot(maker.plan("SELECT name FROM singer WHERE name = '\"\\'"), Naming::query),
            "digraph plan {\n"
            "  rankdir=BT;\n"
            "  node [shape=box];\n"
            "  n0 [label=\"Project singer.name\"];\n"
            "  n1 [label=\"Filter singer.name = '\\\"\\\\'\"];\n"
            "  n2 [label=\"Scan singer (name)\"];\n"
            "  n2 -> n1;\n"
            "  n1 -> n0;\n"
            "}\n");
}

}  // namespace
}  // namespace trustsql::plan
