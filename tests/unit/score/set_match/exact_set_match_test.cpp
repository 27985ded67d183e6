#include "score/set_match/exact_set_match.hpp"

#include <gtest/gtest.h>

#include <map>

#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/connection.hpp"
#include "unit/score/development_data.hpp"

namespace trustsql {
namespace {

set_match::Schema schema_of(const Connection& db) {
  const auto catalog = read_catalog(db.handle());
  EXPECT_TRUE(catalog.ok());
  return set_match::Schema(*catalog);
}

set_match::Schema schema_of_file(const std::filesystem::path& path) {
  const auto db = Connection::open(path.string(), SQLITE_OPEN_READONLY);
  EXPECT_TRUE(db.ok()) << path;
  return schema_of(*db);
}

class ExactSetMatch : public ::testing::Test {
 protected:
  ExactSetMatch() : schema_(make_schema()) {}

  SetMatch match(std::string_view gold, std::string_view pred) const {
    const auto result = exact_set_match(gold, pred, schema_);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *result : SetMatch{};
  }
  bool exact(std::string_view gold, std::string_view pred) const { return match(gold, pred).exact; }
  bool readable(std::string_view sql) const { return !match("SELECT name FROM singer", sql).unreadable; }

 private:
  static set_match::Schema make_schema() {
    const auto db = Connection::open_memory();
    sqlite3_exec(
        db->handle(),
        "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, age INT, country TEXT);"
        "CREATE TABLE concert(id INTEGER PRIMARY KEY, singer_id INT REFERENCES singer(id), year INT, Name TEXT);"
        "CREATE TABLE review(concert_id INT REFERENCES concert(id), stars INT);"
        "CREATE VIEW v AS SELECT 1",
        nullptr, nullptr, nullptr);
    return schema_of(*db);
  }
  set_match::Schema schema_;
};

TEST_F(ExactSetMatch, PartsAreBags) {
  EXPECT_TRUE(exact("SELECT name, age FROM singer", "select age , name from singer"));
  EXPECT_FALSE(exact("SELECT name, age FROM singer", "SELECT name FROM singer"));
  EXPECT_FALSE(exact("SELECT name, name FROM singer", "SELECT name, age FROM singer"));
  EXPECT_TRUE(exact("SELECT name FROM singer WHERE age > 3 AND country = 'x'",
                    "SELECT name FROM singer WHERE country = 'y' AND age > 9"));
  EXPECT_FALSE(exact("SELECT name FROM singer WHERE age > 3 AND country = 'x'",
                     "SELECT name FROM singer WHERE age > 3 OR country = 'x'"));
  EXPECT_TRUE(exact("SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id",
                    "SELECT singer.name FROM concert JOIN singer ON concert.id = singer.age"));
}

TEST_F(ExactSetMatch, ValuesDistinctAndTheNumberAfterLimitDoNotCount) {
  EXPECT_TRUE(exact("SELECT DISTINCT name FROM singer WHERE age BETWEEN 1 AND 2 ORDER BY age LIMIT 3",
                    "SELECT name FROM singer WHERE age BETWEEN 30 AND 40 ORDER BY age LIMIT 1"));
  EXPECT_TRUE(exact("SELECT count(DISTINCT name) FROM singer", "SELECT count(name) FROM singer"));
  EXPECT_FALSE(exact("SELECT name FROM singer ORDER BY age LIMIT 3", "SELECT name FROM singer ORDER BY age"));
  EXPECT_FALSE(exact("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer ORDER BY age DESC"));
}

TEST_F(ExactSetMatch, SubqueriesCount) {
  const std::string outer = "SELECT name FROM singer WHERE age > ";
  EXPECT_TRUE(exact(outer + "(SELECT avg(age) FROM singer WHERE id = 1)",
                    outer + "(SELECT avg(age) FROM singer WHERE id = 2)"));
  EXPECT_FALSE(exact(outer + "(SELECT avg(age) FROM singer)", outer + "(SELECT max(age) FROM singer)"));
  EXPECT_FALSE(exact(outer + "(SELECT avg(age) FROM singer)", outer + "3"));
  // DISTINCT and foreign keys are ignored in the outermost query only.
  EXPECT_FALSE(exact("SELECT name FROM singer WHERE id IN (SELECT DISTINCT singer_id FROM concert)",
                     "SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert)"));
  EXPECT_FALSE(exact("SELECT count(*) FROM (SELECT name FROM singer WHERE age = 1)",
                     "SELECT count(*) FROM (SELECT name FROM singer WHERE age = 2)"));
}

TEST_F(ExactSetMatch, ForeignKeysMakeColumnsOne) {
  const std::string from = " FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id";
  EXPECT_TRUE(exact("SELECT T1.id" + from, "SELECT T2.singer_id" + from));
  EXPECT_FALSE(exact("SELECT T1.id" + from, "SELECT T2.id" + from));
  // Only where the table is in FROM; GROUP BY compares columns without their tables.
  EXPECT_FALSE(exact("SELECT singer_id FROM concert", "SELECT id FROM concert"));
  EXPECT_TRUE(exact("SELECT count(*)" + from + " GROUP BY T1.id", "SELECT count(*)" + from + " GROUP BY T2.singer_id"));
  EXPECT_TRUE(match("SELECT count(*)" + from + " GROUP BY T1.name",
                    "SELECT count(*)" + from + " GROUP BY T2.name")[SetComponent::group_by_no_having]
                  .score());
  EXPECT_FALSE(exact("SELECT count(*)" + from + " GROUP BY T1.name", "SELECT count(*)" + from + " GROUP BY T2.name"));
}

TEST_F(ExactSetMatch, SetOperationsAreComparedWhole) {
  EXPECT_TRUE(exact("SELECT name FROM singer UNION SELECT name FROM concert WHERE year = 1",
                    "SELECT name FROM singer UNION SELECT name FROM concert WHERE year = 2"));
  EXPECT_FALSE(exact("SELECT name FROM singer UNION SELECT name FROM concert",
                     "SELECT name FROM singer EXCEPT SELECT name FROM concert"));
  EXPECT_FALSE(exact("SELECT name FROM singer UNION SELECT name FROM concert",
                     "SELECT name FROM singer UNION SELECT year FROM concert"));
}

TEST_F(ExactSetMatch, ComponentsAreCounted) {
  const auto result = match(
      "SELECT max(age), name FROM singer WHERE age > 1 AND id = 2 GROUP BY name HAVING count(*) > 1 ORDER BY name",
      "SELECT min(age), name FROM singer WHERE age < 1 AND id = 2 GROUP BY name ORDER BY name");
  EXPECT_FALSE(result.exact);
  EXPECT_EQ(result[SetComponent::select], (ComponentMatch{2, 2, 1}));
  EXPECT_EQ(result[SetComponent::select_no_aggregates], (ComponentMatch{2, 2, 2}));
  EXPECT_EQ(result[SetComponent::where], (ComponentMatch{2, 2, 1}));
  EXPECT_EQ(result[SetComponent::where_no_operators], (ComponentMatch{2, 2, 2}));
  EXPECT_EQ(result[SetComponent::group_by_no_having], (ComponentMatch{1, 1, 1}));
  EXPECT_EQ(result[SetComponent::group_by], (ComponentMatch{1, 1, 0}));
  EXPECT_EQ(result[SetComponent::order_by], (ComponentMatch{1, 1, 1}));
  EXPECT_EQ(result[SetComponent::connectives], (ComponentMatch{1, 1, 1}));
  EXPECT_EQ(result[SetComponent::set_operations], (ComponentMatch{0, 0, 0}));
  EXPECT_EQ(result[SetComponent::keywords], (ComponentMatch{5, 4, 4}));
}

TEST_F(ExactSetMatch, ReadsWhatTheEvaluatorReads) {
  for (const char* const sql :
       {"SELECT count(*) FROM singer",
        "SELECT name FROM singer WHERE age != 3 AND country LIKE '%a%' AND id NOT IN (SELECT id FROM concert)",
        "SELECT age - id FROM singer ORDER BY sum(age) / count(*) DESC LIMIT 1;",
        "SELECT name, country FROM singer WHERE age ! = 3",
        "SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id AND T2.year > 3 WHERE T1.age = "
        "T2.year",
        "SELECT count(*) FROM (SELECT name FROM singer)", "SELECT (age) FROM singer"}) {
    EXPECT_TRUE(exact(sql, sql)) << sql;
  }
  for (const char* const sql : {"",
                                "SELECT 1",
                                "SELECT name",
                                "SELECT name FROM nothing",
                                "SELECT nothing FROM singer",
                                "SELECT name AS n FROM singer",
                                "SELECT name FROM singer s",
                                "SELECT name FROM singer, concert",
                                "SELECT name FROM singer LEFT JOIN concert ON singer.id = concert.singer_id",
                                "SELECT name FROM singer WHERE age=3",
                                "SELECT name FROM singer WHERE age <> 3",
                                "SELECT name FROM singer WHERE (age = 3 OR id = 1) AND id = 2",
                                "SELECT name FROM singer WHERE age IN (1, 2)",
                                "SELECT name FROM singer WHERE age IS NULL",
                                "SELECT name FROM singer WHERE name = 'it''s",
                                "SELECT upper(name) FROM singer",
                                "SELECT name FROM singer UNION ALL SELECT name FROM concert",
                                "SELECT name FROM v",
                                "SELECT name FROM singer WHERE age >",
                                "SELECT name FROM singer AS concert",
                                "SELECT name FROM singer WHERE age = 1 id = 2",
                                "SELECT name FROM singer LIMIT"}) {
    EXPECT_FALSE(readable(sql)) << sql;
  }
  EXPECT_FALSE(
      exact_set_match("SELECT nothing FROM singer", "SELECT name FROM singer", set_match::Schema(Catalog())).ok());
}

TEST_F(ExactSetMatch, HostileTextsAreRefused) {
  std::string deep = "SELECT name FROM singer";
  for (int i = 0; i < 1000; ++i) deep += " UNION SELECT name FROM singer";
  EXPECT_FALSE(readable(deep));
  std::string nested;
  for (int i = 0; i < 3000; ++i) nested += "SELECT name FROM singer WHERE id IN (";
  EXPECT_FALSE(readable(nested));
  std::string wide = "SELECT name";
  for (int i = 0; i < 100'000; ++i) wide += " , name";
  EXPECT_FALSE(readable(wide + " FROM singer"));
}

// The verdicts of the official evaluator on 13 published systems.
TEST(ExactSetMatchData, EqualsTheOfficialEvaluator) {
  TRUSTSQL_NEEDS_DEVELOPMENT_DATA(data);
  std::map<std::string, set_match::Schema> schemas;
  std::size_t lines = 0;
  for (const auto& file : files_in(*data / "predictions", ".jsonl")) {
    std::size_t matches = 0;
    for (const auto& row : read_jsonl(file)) {
      const auto id = row.at("db_id").get<std::string>();
      auto schema = schemas.find(id);
      if (schema == schemas.end()) {
        schema = schemas.emplace(id, schema_of_file((*data / "spider" / "databases" / (id + ".sqlite")))).first;
      }
      const auto gold = row.at("gold").get<std::string>(), pred = row.at("pred").get<std::string>();
      const auto result = exact_set_match(gold, pred, schema->second);
      ASSERT_TRUE(result.ok()) << gold << '\n' << result.error().message;
      EXPECT_EQ(result->exact, row.at("em").get<bool>()) << file.filename() << ' ' << row.at("id") << '\n'
                                                         << gold << '\n'
                                                         << pred << '\n'
                                                         << result->unreadable.value_or("");
      ++lines;
      matches += result->exact ? 1 : 0;
    }
    std::cout << file.stem().string() << ": EM " << 100.0 * static_cast<double>(matches) / 445 << '\n';
  }
  EXPECT_EQ(lines, 13U * 445);
}

// The evaluator reads every gold query of Spider.
TEST(ExactSetMatchData, GoldQueriesAreReadAndMatchThemselves) {
  TRUSTSQL_NEEDS_DEVELOPMENT_DATA(data);
  std::map<std::string, set_match::Schema> schemas;
  std::size_t unreadable = 0;
  for (const char* const name : {"train.jsonl", "validation.jsonl"}) {
    for (const auto& row : read_jsonl(*data / "spider" / name)) {
      const auto path = *data / "spider" / "databases" / (row.at("db_id").get<std::string>() + ".sqlite");
      if (!std::filesystem::exists(path)) continue;
      auto schema = schemas.find(path.string());
      if (schema == schemas.end()) schema = schemas.emplace(path.string(), schema_of_file(path)).first;
      const auto gold = row.at("gold").get<std::string>();
      const auto result = exact_set_match(gold, gold, schema->second);
      if (!result.ok()) {
        ++unreadable;
        std::cout << gold << ": " << result.error().message << '\n';
        continue;
      }
      EXPECT_TRUE(result->exact) << gold;
    }
  }
  EXPECT_LT(unreadable, 10U);
}

}  // namespace
}  // namespace trustsql
