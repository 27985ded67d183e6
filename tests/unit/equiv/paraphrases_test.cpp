#include "equiv/paraphrases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "equiv/verdict.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* music =
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, country TEXT);"
    "CREATE TABLE concert(id INTEGER PRIMARY KEY, singer INT NOT NULL REFERENCES singer(id), year INT NOT NULL,"
    " place TEXT);";

std::vector<std::string> rewritten(const std::string& kind, const std::string& sql, const Catalog& catalog) {
  const ParaphraseKind* const kinds[] = {find_paraphrase_kind(kind)};
  EXPECT_NE(kinds[0], nullptr) << kind;
  ParaphraseOptions options;
  options.kinds = kinds;
  const auto found = paraphrases_of(sql, catalog, {}, options);
  EXPECT_TRUE(found.ok()) << sql << ": " << found.error().message;
  std::vector<std::string> texts;
  for (const auto& paraphrase : *found) texts.push_back(paraphrase.sql);
  return texts;
}

struct Rewrite {
  const char* kind;
  const char* sql;
  const char* rewritten;
  Verdict verdict = Verdict::proved;
};

TEST(Paraphrases, OfEachKind) {
  RefuterGround ground(music);
  auto comparer = *QueryComparer::create(ground.source(), SandboxLimits::from(RefuterGround::settings()));
  const Rewrite rewrites[] = {
      {"operand_order", "SELECT id FROM singer WHERE age > 3", "SELECT id FROM singer WHERE 3 < age"},
      {"between", "SELECT id FROM singer WHERE age BETWEEN 1 AND 3",
       "SELECT id FROM singer WHERE age >= 1 AND age <= 3"},
      {"between", "SELECT id FROM singer WHERE age <= 3 AND name = 'x' AND age >= 1",
       "SELECT id FROM singer WHERE age BETWEEN 1 AND 3 AND name = 'x'"},
      {"between", "SELECT id FROM singer WHERE age NOT BETWEEN 1 AND 3",
       "SELECT id FROM singer WHERE age < 1 OR age > 3"},
      {"in_list", "SELECT id FROM singer WHERE age IN (1, 2)", "SELECT id FROM singer WHERE age = 1 OR age = 2"},
      {"in_list", "SELECT id FROM singer WHERE age = 1 OR name = 'x' OR age = 2",
       "SELECT id FROM singer WHERE age IN (1, 2) OR name = 'x'"},
      {"in_list", "SELECT id FROM singer WHERE age NOT IN (1, 2)", "SELECT id FROM singer WHERE age != 1 AND age != 2"},
      {"de_morgan", "SELECT id FROM singer WHERE age > 1 AND name = 'x'",
       "SELECT id FROM singer WHERE NOT (age <= 1 OR name != 'x')"},
      {"de_morgan", "SELECT id FROM singer WHERE NOT (age <= 1 OR name LIKE 'x')",
       "SELECT id FROM singer WHERE age > 1 AND name NOT LIKE 'x'"},
      {"not_equal", "SELECT id FROM singer WHERE age != 1", "SELECT id FROM singer WHERE age < 1 OR age > 1"},
      {"integer_bound", "SELECT name FROM singer WHERE id > 1", "SELECT name FROM singer WHERE id >= 2"},
      {"integer_bound", "SELECT name FROM singer WHERE age > 1", "SELECT name FROM singer WHERE age >= 2",
       Verdict::refuted},
      {"implied_condition", "SELECT id FROM singer WHERE age > 1",
       "SELECT id FROM singer WHERE age > 1 AND age IS NOT NULL"},
      {"implied_condition", "SELECT id FROM singer WHERE age > 1 AND age IS NOT NULL",
       "SELECT id FROM singer WHERE age > 1"},
      {"equal_column", "SELECT s.id FROM singer AS s JOIN concert AS c ON s.id = c.singer",
       "SELECT c.singer FROM singer AS s JOIN concert AS c ON s.id = c.singer"},
      {"join_order", "SELECT name FROM singer JOIN concert ON singer.id = singer WHERE age > 1",
       "SELECT name FROM concert JOIN singer ON singer.id = concert.singer WHERE age > 1"},
      {"join_order", "SELECT * FROM singer JOIN concert ON singer.id = singer",
       "SELECT * FROM concert JOIN singer ON singer.id = concert.singer", Verdict::refuted},
      {"comma_join", "SELECT name FROM singer JOIN concert ON singer.id = singer WHERE age > 1",
       "SELECT name FROM singer, concert WHERE singer.id = concert.singer AND age > 1"},
      {"comma_join", "SELECT name FROM singer, concert WHERE singer.id = singer AND age > 1",
       "SELECT name FROM singer JOIN concert ON singer.id = concert.singer WHERE singer.age > 1"},
      {"using", "SELECT a.name FROM singer AS a JOIN singer AS b ON a.id = b.id",
       "SELECT a.name FROM singer AS a JOIN singer AS b USING (id)"},
      {"using", "SELECT a.name FROM singer AS a JOIN singer AS b USING (id)",
       "SELECT a.name FROM singer AS a JOIN singer AS b ON a.id = b.id"},
      {"outer_join", "SELECT name FROM singer JOIN concert ON singer.id = singer",
       "SELECT singer.name FROM singer LEFT JOIN concert ON singer.id = concert.singer WHERE concert.singer IS NOT "
       "NULL"},
      {"derived_table", "SELECT name FROM singer WHERE age > 1",
       "SELECT singer.name FROM (SELECT name, age FROM singer WHERE singer.age > 1) AS singer"},
      {"common_table", "SELECT name FROM singer WHERE age > 1",
       "WITH selected_singer AS (SELECT name, age FROM singer WHERE singer.age > 1) SELECT singer.name FROM "
       "selected_singer AS singer"},
      {"join_to_in", "SELECT c.year FROM concert AS c JOIN singer AS s ON s.id = c.singer WHERE s.age > 1",
       "SELECT c.year FROM concert AS c WHERE c.singer IN (SELECT s.id FROM singer AS s WHERE s.age > 1)"},
      {"join_to_in", "SELECT s.name FROM concert AS c JOIN singer AS s ON s.id = c.singer WHERE c.year > 1",
       "SELECT s.name FROM singer AS s WHERE s.id IN (SELECT c.singer FROM concert AS c WHERE c.year > 1)",
       Verdict::refuted},
      {"in_to_join", "SELECT id FROM singer WHERE id IN (SELECT singer FROM concert WHERE year > 1)",
       "SELECT DISTINCT singer.id FROM singer JOIN concert ON singer.id = concert.singer WHERE concert.year > 1"},
      {"in_to_join", "SELECT id FROM singer WHERE id IN (SELECT singer FROM concert WHERE year > 1)",
       "SELECT singer.id FROM singer JOIN concert ON singer.id = concert.singer WHERE concert.year > 1",
       Verdict::refuted},
      {"in_to_join", "SELECT name FROM singer WHERE age IN (SELECT id FROM singer)",
       "SELECT singer.name FROM singer JOIN singer AS singer_2 ON singer.age = singer_2.id"},
      {"in_to_exists", "SELECT name FROM singer WHERE id IN (SELECT singer FROM concert WHERE year > 1)",
       "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE concert.year > 1 AND concert.singer = "
       "singer.id)"},
      {"in_to_exists", "SELECT name FROM singer WHERE id NOT IN (SELECT singer FROM concert)",
       "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM concert WHERE concert.singer = singer.id)"},
      {"in_to_exists", "SELECT name FROM singer WHERE age NOT IN (SELECT age FROM singer AS s WHERE s.id > 1)",
       "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM singer AS s WHERE s.id > 1 AND s.age = singer.age)",
       Verdict::refuted},
      {"exists_to_in",
       "SELECT name FROM singer AS s WHERE EXISTS (SELECT 1 FROM concert WHERE year > 1 AND singer = s.id)",
       "SELECT name FROM singer AS s WHERE s.id IN (SELECT concert.singer FROM concert WHERE concert.year > 1)"},
      {"not_in_to_outer_join", "SELECT name FROM singer WHERE id NOT IN (SELECT singer FROM concert)",
       "SELECT singer.name FROM singer LEFT JOIN concert ON singer.id = concert.singer WHERE concert.singer IS NULL"},
      {"exists_to_count", "SELECT name FROM singer AS s WHERE EXISTS (SELECT 1 FROM concert WHERE singer = s.id)",
       "SELECT name FROM singer AS s WHERE (SELECT count(*) FROM concert WHERE singer = s.id) > 0"},
      {"extreme_row", "SELECT name FROM singer ORDER BY id DESC LIMIT 1",
       "SELECT name FROM singer WHERE singer.id = (SELECT max(id) FROM singer)"},
      {"extreme_row", "SELECT max(age) FROM singer", "SELECT age FROM singer ORDER BY age DESC LIMIT 1",
       Verdict::refuted},
      {"set_operation_to_condition", "SELECT name FROM singer WHERE age > 1 UNION SELECT name FROM singer WHERE id = 2",
       "SELECT DISTINCT name FROM singer WHERE age > 1 OR id = 2"},
      {"set_operation_to_condition",
       "SELECT name FROM singer WHERE age > 1 INTERSECT SELECT name FROM singer WHERE id = 2",
       "SELECT DISTINCT name FROM singer WHERE age > 1 AND id = 2", Verdict::refuted},
      {"set_operation_to_in", "SELECT id FROM singer EXCEPT SELECT singer FROM concert",
       "SELECT DISTINCT id FROM singer WHERE singer.id NOT IN (SELECT singer FROM concert)"},
      {"in_to_set_operation", "SELECT id FROM singer WHERE age > 1 AND id NOT IN (SELECT singer FROM concert)",
       "SELECT id FROM singer WHERE age > 1 EXCEPT SELECT singer FROM concert"},
      {"or_to_union", "SELECT id FROM singer WHERE age > 1 OR name = 'x'",
       "SELECT id FROM singer WHERE age > 1 UNION SELECT id FROM singer WHERE name = 'x'"},
      {"distinct", "SELECT id FROM singer", "SELECT DISTINCT id FROM singer"},
      {"distinct", "SELECT name FROM singer", "SELECT DISTINCT name FROM singer", Verdict::refuted},
      {"distinct_group_by", "SELECT DISTINCT name, age FROM singer", "SELECT name, age FROM singer GROUP BY name, age"},
      {"distinct_group_by", "SELECT name FROM singer GROUP BY name", "SELECT DISTINCT name FROM singer"},
      {"having_where", "SELECT age, count(*) FROM singer GROUP BY age HAVING age > 1",
       "SELECT age, count(*) FROM singer WHERE age > 1 GROUP BY age"},
      {"having_where", "SELECT age, count(*) FROM singer WHERE age > 1 GROUP BY age",
       "SELECT age, count(*) FROM singer GROUP BY age HAVING age > 1"},
      {"having_to_derived_table", "SELECT age FROM singer GROUP BY age HAVING count(*) > 1",
       "SELECT grouped.column_1 FROM (SELECT age AS column_1, count(*) AS value FROM singer GROUP BY age) AS grouped "
       "WHERE grouped.value > 1"},
      {"group_key", "SELECT name, count(*) FROM singer GROUP BY id",
       "SELECT name, count(*) FROM singer GROUP BY id, name"},
      {"count_column", "SELECT count(*) FROM singer", "SELECT count(singer.id) FROM singer"},
      {"count_column", "SELECT count(*) FROM singer", "SELECT count(1) FROM singer"},
      {"count_column", "SELECT count(age) FROM singer", "SELECT count(*) FROM singer", Verdict::refuted},
      {"count_distinct", "SELECT count(DISTINCT age) FROM singer",
       "SELECT count(counted.value) FROM (SELECT DISTINCT age AS value FROM singer) AS counted"},
      {"count_distinct", "SELECT count(*) FROM singer", "SELECT count(DISTINCT singer.id) FROM singer"},
      {"qualifiers", "SELECT name FROM singer WHERE age > 1", "SELECT singer.name FROM singer WHERE singer.age > 1"},
      {"qualifiers", "SELECT s.name FROM singer AS s WHERE s.age > 1", "SELECT name FROM singer AS s WHERE age > 1"},
      {"table_aliases", "SELECT name FROM singer JOIN concert ON singer.id = singer",
       "SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer"},
      {"column_aliases", "SELECT count(*) FROM singer", "SELECT count(*) AS value_1 FROM singer"},
      {"star", "SELECT id, name, age, country FROM singer", "SELECT * FROM singer"},
      {"star", "SELECT * FROM concert", "SELECT concert.id, concert.singer, concert.year, concert.place FROM concert"},
      {"order_term", "SELECT name, count(*) FROM singer GROUP BY name ORDER BY count(*)",
       "SELECT name, count(*) FROM singer GROUP BY name ORDER BY 2"},
      {"order_term", "SELECT name FROM singer ORDER BY 1", "SELECT name FROM singer ORDER BY name"},
      {"whole_query", "SELECT name FROM singer WHERE age > 1",
       "SELECT * FROM (SELECT name FROM singer WHERE age > 1) AS result"},
      {"whole_query", "SELECT name FROM singer WHERE age > 1",
       "WITH result AS (SELECT name FROM singer WHERE age > 1) SELECT * FROM result"},
      {"plan", "SELECT name FROM singer WHERE NOT age <= 1",
       "SELECT t1.name FROM main.singer AS t1 WHERE NOT t1.age <= 1"},
      {"normal_form", "SELECT name FROM singer WHERE NOT age <= 1",
       "SELECT t1.name FROM main.singer AS t1 WHERE t1.age > 1"},
      {"planner_rule", "SELECT name FROM singer WHERE NOT age <= 1",
       "SELECT t1.name FROM main.singer AS t1 WHERE t1.age > 1"},
  };
  std::set<std::string> tested;
  for (const auto& rewrite : rewrites) {
    tested.insert(rewrite.kind);
    const auto texts = rewritten(rewrite.kind, rewrite.sql, ground.catalog());
    std::string all;
    for (const auto& text : texts) all += "\n  " + text;
    EXPECT_NE(std::ranges::find(texts, rewrite.rewritten), texts.end())
        << rewrite.kind << ": " << rewrite.sql << "\n  lacks " << rewrite.rewritten << all;
    const auto comparison = comparer->compare(rewrite.sql, rewrite.rewritten, {}, {});
    ASSERT_TRUE(comparison.ok());
    EXPECT_EQ(comparison->verdict, rewrite.verdict) << rewrite.sql << "\n" << rewrite.rewritten;
  }
  for (const auto& kind : paraphrase_kinds())
    EXPECT_TRUE(tested.contains(std::string(kind.name))) << kind.name << " has no test";
}

TEST(Paraphrases, ParseAndDifferFromTheQuery) {
  RefuterGround ground(music);
  for (const char* sql :
       {"SELECT s.name, count(*) FROM singer AS s JOIN concert AS c ON s.id = c.singer WHERE c.year BETWEEN 1 AND 3 "
        "GROUP BY s.id HAVING count(*) > 1 ORDER BY count(*) DESC LIMIT 3",
        "SELECT name FROM singer WHERE age IN (1, 2) AND id NOT IN (SELECT singer FROM concert WHERE place = 'x')",
        "SELECT name FROM singer INTERSECT SELECT place FROM concert"}) {
    const auto found = paraphrases_of(sql, ground.catalog(), {}, {});
    ASSERT_TRUE(found.ok());
    EXPECT_GE(found->size(), 15U) << sql;
    std::set<std::string> texts = {print_query(*parse_query(sql))};
    for (const auto& paraphrase : *found) {
      EXPECT_TRUE(parse_query(paraphrase.sql).ok()) << paraphrase.sql;
      EXPECT_TRUE(texts.insert(paraphrase.sql).second) << paraphrase.sql;
    }
  }
}

TEST(Paraphrases, KeepTheirLimits) {
  RefuterGround ground(music);
  const std::string sql = "SELECT name FROM singer WHERE age = 1 AND id = 2 AND country = 'x' AND name = 'y'";
  ParaphraseOptions options;
  options.most_of_kind = 2;
  const auto few = paraphrases_of(sql, ground.catalog(), {}, options);
  std::map<std::string_view, int> counts;
  for (const auto& paraphrase : *few) EXPECT_LE(++counts[paraphrase.kind->name], 2);
  int asked = 0;
  options.stop = [&] { return ++asked > 5; };
  EXPECT_LT(paraphrases_of(sql, ground.catalog(), {}, options)->size(), 6U);
  EXPECT_EQ(paraphrases_of("SELECT nope FROM singer", ground.catalog(), {}, {}).error().code, ErrorCode::query_failed);
}

}  // namespace
}  // namespace trustsql::equiv
