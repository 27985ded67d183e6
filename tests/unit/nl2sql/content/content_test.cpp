#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "link/lexical_embedder.hpp"
#include "nl2sql/content/content_rows.hpp"
#include "nl2sql/content/row_ranking.hpp"
#include "nl2sql/prompts/prompt_text.hpp"
#include "nl2sql/prompts/schema_text.hpp"
#include "unit/nl2sql/database.hpp"
#include "unit/test_run.hpp"

namespace trustsql::nl2sql {
namespace {

// Embeds a text by which of a few words it contains.
class WordsEmbedder final : public link::Embedder {
 public:
  std::string name() const override { return "words"; }
  std::size_t dimensions() const override { return 3; }
  Result<std::vector<link::Vector>> embed(std::span<const std::string> texts, const llm::RequestContext&) override {
    embedded += texts.size();
    std::vector<link::Vector> vectors;
    for (const auto& text : texts) {
      link::Vector v(3);
      for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = text.find(std::string{"rgb"[i]} + "_") != std::string::npos ? 1.0F : 0.0F;
      vectors.push_back(v);
    }
    return vectors;
  }
  std::size_t embedded = 0;
};

struct Content {
  explicit Content(const std::string& script, const ContentLimits& limits = {})
      : database(script), subset(SchemaSubset::all(database.catalog())), reader(open(limits)) {}

  ContentReader open(const ContentLimits& limits) {
    auto opened = ContentReader::open(database.source(), database.catalog(), cache, {}, limits);
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }

  TestDatabase database;
  SchemaSubset subset;
  ContentCache cache;
  ContentReader reader;
};

constexpr auto singers = R"(
  CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, "full name" TEXT NOT NULL, age INT -- never mind the age
  );
  CREATE TABLE song (id INTEGER PRIMARY KEY, singer INT REFERENCES singer, title, CHECK (title <> ''));
  CREATE TABLE plays (song INT, day TEXT, n INT, PRIMARY KEY (day, song), FOREIGN KEY (song) REFERENCES song (id)) WITHOUT ROWID;
  CREATE VIEW old AS SELECT singer_id, age FROM singer WHERE age > 60;
  CREATE TABLE trustsql_examples (question, sql);
  INSERT INTO singer VALUES (1, 'Joe', 52), (2, 'Ann', 70), (3, 'Joe', NULL), (4, 'Tim''s', 41), (5, 'Li', 33);
  INSERT INTO song VALUES (1, 1, 'a */ DROP TABLE song /*'), (2, 1, NULL), (3, 2, x'00ff');
  INSERT INTO plays VALUES (1, '2020-01-02', 7), (1, '2020-01-01', 9);
)";

// --- schemas ---------------------------------------------------------------------------------------------------------

TEST(SchemaText, ColumnsAndForeignKeys) {
  Content c(singers);
  EXPECT_EQ(schema_text(c.database.catalog(), c.subset, SchemaStyle::columns_fk),
            "Table singer, columns = [*, singer_id, \"full name\", age]\n"
            "Table song, columns = [*, id, singer, title]\n"
            "Table plays, columns = [*, song, day, n]\n"
            "Table old, columns = [*, singer_id, age]\n"
            "Foreign_keys = [song.singer = singer.singer_id, plays.song = song.id]");
}

TEST(SchemaText, CreateTable) {
  Content c(singers);
  EXPECT_EQ(schema_text(c.database.catalog(), c.subset, SchemaStyle::create_table),
            "CREATE TABLE singer (\n  singer_id INTEGER PRIMARY KEY,\n  \"full name\" TEXT NOT NULL,\n  age INT\n);\n\n"
            "CREATE TABLE song (\n  id INTEGER PRIMARY KEY,\n  singer INT,\n  title,\n  FOREIGN KEY (singer) "
            "REFERENCES singer (singer_id)\n);\n\n"
            "CREATE TABLE plays (\n  song INT NOT NULL,\n  day TEXT NOT NULL,\n  n INT,\n  PRIMARY KEY (day, song),\n"
            "  FOREIGN KEY (song) REFERENCES song (id)\n);\n\n"
            "CREATE VIEW old (singer_id, age);");
}

TEST(SchemaText, CreateTableWithThreeValuesOfEachColumn) {
  Content c(singers);
  const auto values = read_column_values(c.reader, c.subset);
  ASSERT_TRUE(values.ok());
  const auto text = schema_text(c.database.catalog(), c.subset, SchemaStyle::create_table_select_col3, &*values);
  EXPECT_NE(text.find(");\n/* Some values of each column:\nsinger_id: 1, 2, 3\n\"full name\": 'Joe', 'Ann', "
                      "'Tim''s'\nage: 52, 70, 41\n*/\n\nCREATE"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("title: 'a * / DROP TABLE song /*', X'00FF'\n*/"), std::string::npos)
      << "a value does not end the comment: " << text;
  EXPECT_EQ(schema_text(c.database.catalog(), c.subset, SchemaStyle::create_table_select_col3),
            schema_text(c.database.catalog(), c.subset, SchemaStyle::create_table))
      << "no rows may be sent";
}

TEST(SchemaText, ShowsASubsetAlone) {
  Content c(singers);
  SchemaSubset subset;
  subset.columns[0] = {1};
  subset.columns[1] = {0, 1};
  subset.columns[2] = {0, 2};
  EXPECT_EQ(schema_text(c.database.catalog(), subset, SchemaStyle::create_table),
            "CREATE TABLE singer (\n  \"full name\" TEXT NOT NULL\n);\n\n"
            "CREATE TABLE song (\n  id INTEGER PRIMARY KEY,\n  singer INT\n);\n\n"
            "CREATE TABLE plays (\n  song INT NOT NULL,\n  n INT,\n  FOREIGN KEY (song) REFERENCES song (id)\n);")
      << "no key whose columns are not all shown";
  const auto values = read_column_values(c.reader, subset);
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values->at(0).size(), 1U);
}

TEST(SchemaText, StylesByName) {
  EXPECT_EQ(*parse_schema_style("Columns=[]+FK"), SchemaStyle::columns_fk);
  EXPECT_EQ(*parse_schema_style("createtable"), SchemaStyle::create_table);
  EXPECT_EQ(*parse_schema_style("CreateTable+SelectCol3"), SchemaStyle::create_table_select_col3);
  EXPECT_FALSE(parse_schema_style("DDL").ok());
}

TEST(SchemaText, QualifiesHiddenTables) {
  Content c("CREATE TABLE t (a); CREATE TEMP TABLE t (b); ATTACH ':memory:' AS aux; CREATE TABLE aux.u (c)");
  EXPECT_EQ(schema_text(c.database.catalog(), c.subset, SchemaStyle::columns_fk),
            "Table t, columns = [*, b]\nTable main.t, columns = [*, a]\nTable u, columns = [*, c]\nForeign_keys = []");
}

// --- texts -----------------------------------------------------------------------------------------------------------

TEST(PromptText, HidesNothing) {
  EXPECT_EQ(visible_text("a\nb\t\x01\x7f"), "a\\nb\\t\\x01\\x7f");
  EXPECT_EQ(visible_text("x\u202ey\u200bz\U000e0041"), "x\\u{202e}y\\u{200b}z\\u{e0041}");
  EXPECT_EQ(visible_text("\xff\xe4\xb8\xad"), "\ufffd\u4e2d");
  EXPECT_EQ(visible_text("abcdef", 3), "abc\u2026");
  EXPECT_EQ(visible_text("abc", 3), "abc");
}

TEST(PromptText, Literals) {
  EXPECT_EQ(cell_literal(ValueView::of_text("it's")), "'it''s'");
  EXPECT_EQ(cell_literal(ValueView::of_text(std::string(300, 'x')), 4), "'xxxx\u2026'");
  EXPECT_EQ(cell_literal(ValueView::of_blob("abc"), 2), "X'6162\u2026'");
  EXPECT_EQ(cell_literal(ValueView::of_real(HUGE_VAL)), "9e999");
  EXPECT_EQ(name_in_sql("order"), "\"order\"");
  EXPECT_EQ(name_in_sql("a b"), "\"a b\"");
  EXPECT_EQ(name_in_sql("ab_1"), "ab_1");
  EXPECT_EQ(name_in_sql("x\nQuestion: y"), "\"x\\nQuestion: y\"");
}

// --- rows ------------------------------------------------------------------------------------------------------------

std::vector<SelectedRows> choose(Content& c, const std::string& question, const RowSelection& selection,
                                 link::Embedder& words) {
  auto rows = relevant_rows(c.reader, c.subset, question, selection, words, {});
  EXPECT_TRUE(rows.ok());
  return rows.ok() ? *rows : std::vector<SelectedRows>();
}

TEST(ContentRows, FirstRowsOfAllTables) {
  Content c(singers);
  const auto tables = first_rows(c.reader, c.subset, 2);
  ASSERT_TRUE(tables.ok());
  ASSERT_EQ(tables->size(), 4U);
  EXPECT_EQ(row_tuples(tables->at(0), ", "), "(1, 'Joe', 52), (2, 'Ann', 70)");
  EXPECT_EQ(row_tuples(tables->at(1), ", "), "(1, 1, 'a */ DROP TABLE song /*'), (2, 1, NULL)");
  EXPECT_EQ(row_tuples(tables->at(2), ", "), "(1, '2020-01-01', 9), (1, '2020-01-02', 7)");
  EXPECT_EQ(row_tuples(tables->at(3), ", "), "(2, 70)");
}

TEST(ContentRows, ListingOfASmallTableHasAllRows) {
  Content c("CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE TABLE e (a)");
  WordsEmbedder words;
  const auto tables = choose(c, "r_", {}, words);
  EXPECT_EQ(insert_text(c.database.catalog(), tables.at(0)), "INSERT INTO t (a, b) VALUES\n(1, 'x'),\n(2, 'y');");
  EXPECT_EQ(insert_text(c.database.catalog(), tables.at(1)), "/* e has no rows */");
  EXPECT_EQ(words.embedded, 0U) << "nothing to choose";
}

constexpr auto hundred = R"(
  CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT);
  INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    SELECT i, CASE WHEN i % 20 = 0 THEN 'g_' ELSE 'r_' END || i FROM n;
)";

// The integers in the first column of the chosen rows.
std::vector<std::int64_t> ids(const SelectedRows& rows) {
  std::vector<std::int64_t> chosen;
  for (const auto row : rows.chosen) chosen.push_back(rows.rows->at(row, 0).integer);
  return chosen;
}

TEST(ContentRows, HalfByRelevanceHalfSampled) {
  Content c(hundred);
  WordsEmbedder words;
  const auto rows = choose(c, "the g_ ones", {.count = 7, .seed = 3}, words).at(0);
  const auto chosen = ids(rows);
  ASSERT_EQ(chosen.size(), 7U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(chosen[i], 20 * static_cast<std::int64_t>(i + 1))
        << "half of seven, rounded up, of the five relevant ones";
  EXPECT_TRUE(std::is_sorted(chosen.begin() + 4, chosen.end()));
  EXPECT_EQ(std::set<std::int64_t>(chosen.begin(), chosen.end()).size(), 7U) << "none twice";
  EXPECT_EQ(rows.omitted, 93);
  EXPECT_EQ(insert_text(c.database.catalog(), rows).substr(0, 63),
            "INSERT INTO t (id, c) VALUES /* 93 rows omitted */\n(20, 'g_20')");

  EXPECT_EQ(ids(choose(c, "the g_ ones", {.count = 7, .seed = 3}, words).at(0)), chosen) << "the seed fixes the sample";
  EXPECT_NE(ids(choose(c, "the g_ ones", {.count = 7, .seed = 4}, words).at(0)), chosen);
  EXPECT_EQ(words.embedded, 100U + 3U) << "rows are embedded once, the question each time";
}

TEST(ContentRows, ChoosesByTheWordsOfTheEmbeddedVectors) {
  Content c(R"(CREATE TABLE city (name TEXT, country TEXT);
    INSERT INTO city WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT 'town ' || i, 'Norway' FROM n;
    INSERT INTO city VALUES ('Lyon', 'France'))");
  link::LexicalEmbedder words;
  const auto rows = choose(c, "How many cities are in France?", {.count = 5}, words).at(0);
  EXPECT_EQ(rows.rows->at(rows.chosen.front(), 0).bytes, "Lyon");
}

TEST(ContentRows, JsonObjectsHaveColumnNamesAsKeys) {
  Content c(singers);
  const auto tables = first_rows(c.reader, c.subset, 3);
  ASSERT_TRUE(tables.ok());
  EXPECT_EQ(row_json(c.database.catalog(), tables->at(0), 0), R"({"singer_id":1,"full name":"Joe","age":52})");
  EXPECT_EQ(row_json(c.database.catalog(), tables->at(1), 2), R"({"id":3,"singer":2})");
}

// A table, one without rowids and a view of 3,000 rows each; the rows 1,777 and 2,998 are the ones that matter.
constexpr auto thousands = R"(
  CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT);
  INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    SELECT i, CASE WHEN i IN (1777, 2998) THEN 'g_' ELSE 'r_' END FROM n;
  CREATE TABLE w (id PRIMARY KEY, c) WITHOUT ROWID;
  INSERT INTO w SELECT id, c FROM t;
  CREATE VIEW v AS SELECT id, c FROM t;
)";

TEST(ContentRows, AllRowsAreRanked) {
  Content c(thousands);
  WordsEmbedder words;
  const auto tables = choose(c, "the g_ ones", {.count = 4}, words);
  ASSERT_EQ(tables.size(), 3U);
  for (const auto& rows : tables) {
    const auto chosen = ids(rows);
    ASSERT_EQ(chosen.size(), 4U);
    EXPECT_EQ(chosen[0], 1777);
    EXPECT_EQ(chosen[1], 2998);
    EXPECT_EQ(rows.rows->row_count(), 4U) << "no other rows are kept";
    EXPECT_EQ(rows.omitted, 2996);
    EXPECT_TRUE(rows.omitted_is_exact);
    EXPECT_EQ(ranking_warning(c.database.catalog(), rows), "");
  }
  EXPECT_EQ(words.embedded, 3U * 3000U + 1U);
  choose(c, "others", {.count = 4}, words);
  EXPECT_EQ(words.embedded, 3U * 3000U + 2U) << "the vectors of all pages are kept";
}

TEST(ContentRows, WhereNotAllRowsAreRankedThisIsSaid) {
  Content c(thousands, {.ranked_rows = 1000, .page_rows = 300});
  WordsEmbedder words;
  const auto tables = choose(c, "the g_ ones", {.count = 4}, words);
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(ranking_warning(c.database.catalog(), tables[1]),
            "rows were chosen from 1000 of 3000 rows of w (the option ranked_rows allows more)");
  EXPECT_NE(ranking_warning(c.database.catalog(), tables[0]).find(" of 3000 rows of t ("), std::string::npos);
  EXPECT_EQ(tables[0].omitted, 2996);

  Content exact(thousands, {.ranked_rows = 3000});
  for (const auto& rows : choose(exact, "the g_ ones", {.count = 4}, words)) {
    EXPECT_EQ(ids(rows)[1], 2998);
    EXPECT_EQ(ranking_warning(exact.database.catalog(), rows), "");
  }
}

// The ids on all pages of a table.
std::vector<std::int64_t> ids_on_pages(ContentReader& reader, std::size_t table, RowPages& pages) {
  std::vector<std::int64_t> read;
  pages = reader.pages(table);
  for (;;) {
    const auto page = reader.next_page(pages);
    EXPECT_TRUE(page.ok());
    if (!page.ok() || page->rows->empty()) return read;
    for (std::size_t row = 0; row < page->rows->row_count(); ++row) read.push_back(page->rows->at(row, 0).integer);
  }
}

TEST(ContentRows, BigTablesAreLookedAtInPlaces) {
  Content c(R"(CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT);
               INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, 'x' FROM n;
               CREATE TABLE w (a PRIMARY KEY, b) WITHOUT ROWID;
               INSERT INTO w SELECT id, c FROM t)",
            {.ranked_rows = 100, .counted = 1000, .distinct_scanned = 50});
  RowPages pages;
  const auto read = ids_on_pages(c.reader, 0, pages);
  EXPECT_EQ(pages.total, 1000);
  EXPECT_FALSE(pages.total_is_exact);
  EXPECT_FALSE(pages.has_all);
  ASSERT_EQ(read.size(), 100U);
  EXPECT_EQ(read[49], 50) << "the first half";
  EXPECT_GT(read.back(), 4000) << "and places after it";
  EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
  EXPECT_EQ(std::set<std::int64_t>(read.begin(), read.end()).size(), 100U) << "none twice";
  EXPECT_EQ(ids_on_pages(c.reader, 0, pages), read) << "the same places each time";
  const auto keyed = ids_on_pages(c.reader, 1, pages);
  ASSERT_EQ(keyed.size(), 100U);
  EXPECT_EQ(keyed.back(), 100);

  WordsEmbedder words;
  const auto text = insert_text(c.database.catalog(), choose(c, "x", {}, words).at(0));
  EXPECT_NE(text.find("/* more than 985 rows omitted */"), std::string::npos) << text;

  for (const std::size_t ranked : {1, 2, 3, 7, 999, 4999, 5000, 5001}) {
    const ContentLimits limits{.ranked_rows = ranked, .page_rows = 64};
    Content few(
        "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL "
        "SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n",
        limits);
    const auto rows = ids_on_pages(few.reader, 0, pages);
    EXPECT_LE(rows.size(), ranked);
    EXPECT_GE(rows.size(), std::min<std::size_t>(ranked / 2, 5000)) << ranked;
    EXPECT_EQ(std::set<std::int64_t>(rows.begin(), rows.end()).size(), rows.size()) << ranked;
    EXPECT_EQ(pages.has_all, rows.size() == 5000U) << ranked;
  }
}

TEST(RowRanking, KeepsTheBestAndAFairSample) {
  ResultSet rows({"i"});
  for (std::int64_t i = 0; i < 40; ++i) rows.append(ValueView::of_integer(i));
  std::vector<int> sampled(40);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    RowRanking ranking(3, 5, Random(seed));
    for (std::size_t i = 0; i < 40; ++i) ranking.add(static_cast<float>(i * 7 % 40), rows, i);
    const auto kept = ranking.take();
    ASSERT_EQ(kept.size(), 8U);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(std::get<std::int64_t>(kept[i].at(0)) * 7 % 40, 39 - static_cast<std::int64_t>(i));
    for (std::size_t i = 3; i < 8; ++i) ++sampled[static_cast<std::size_t>(std::get<std::int64_t>(kept[i].at(0)))];
  }
  // 37 others, each drawn with probability 5 / 37: 541 times, with a standard deviation of 22.
  for (std::size_t i = 0; i < 40; ++i) {
    const bool is_best = i * 7 % 40 >= 37;
    EXPECT_NEAR(sampled[i], is_best ? 0 : 541, is_best ? 0 : 110) << i;
  }
  RowRanking none(0, 2, Random(0));
  for (std::size_t i = 0; i < 5; ++i) none.add(1, rows, i);
  EXPECT_EQ(none.size(), 5U);
  EXPECT_EQ(none.take().size(), 2U);
  RowRanking ties(2, 0, Random(0));
  for (std::size_t i = 0; i < 5; ++i) ties.add(1, rows, i);
  EXPECT_EQ(std::get<std::int64_t>(ties.take().at(1).at(0)), 1) << "the first ones win ties";
}

TEST(ContentRows, ManyColumnsAndLongTexts) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  std::string columns;
  for (int i = 0; i < 1500; ++i) columns += (i == 0 ? "c" : ", c") + std::to_string(i);
  Content c("CREATE TABLE wide (" + columns +
            "); INSERT INTO wide (c0, c7) VALUES (printf('%.*c', 100000, 'x'), zeroblob(100000))");
  const auto rows = first_rows(c.reader, c.subset, 5);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->at(0).error, "");
  ASSERT_EQ(rows->at(0).chosen.size(), 1U);
  EXPECT_LT(row_tuples(rows->at(0), ", ").size(), 20'000U);
}

TEST(ContentRows, ATableThatCannotBeReadHasNone) {
  Content c(R"(CREATE TABLE t (a); INSERT INTO t VALUES (1);
               CREATE VIEW broken AS SELECT a, abs('-9223372036854775808' + 0) AS b FROM t;
               CREATE VIEW endless AS WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n)",
            {.time = std::chrono::milliseconds(500)});
  const auto rows = first_rows(c.reader, c.subset, 5);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->at(0).chosen.size(), 1U);
  EXPECT_TRUE(rows->at(2).chosen.empty());
  EXPECT_EQ(insert_text(c.database.catalog(), rows->at(2)),
            "/* endless could not be read: no time was left to read it */");
}

TEST(ContentRows, AStopEndsTheReading) {
  TestDatabase database(
      "CREATE VIEW v AS WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n");
  ContentCache cache;
  auto reader = ContentReader::open(database.source(), database.catalog(), cache, [] { return true; });
  ASSERT_TRUE(reader.ok());
  const auto rows = first_rows(*reader, SchemaSubset::all(database.catalog()), 5);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, ErrorCode::interrupted);
}

TEST(ContentCache, DropsWhatWasUsedLongestAgo) {
  ContentCache cache(40'000);
  int computed = 0;
  const auto make = [&]() -> Result<ContentCache::Vectors> {
    ++computed;
    return ContentCache::Vectors(10, link::Vector(256));
  };
  for (const std::uint64_t version : {1, 2, 3, 4, 5, 5, 4, 1})
    EXPECT_EQ((*cache.vectors({1, version, "", ""}, make))->size(), 10U);
  EXPECT_EQ(computed, 6) << "1 was dropped, 5 and 4 were kept";
  EXPECT_FALSE(cache.vectors({9, 0, "", ""}, []() -> Result<ContentCache::Vectors> { return io_error("x"); }).ok());
  EXPECT_TRUE(cache.vectors({9, 0, "", ""}, make).ok()) << "a failure is not kept";
}

}  // namespace
}  // namespace trustsql::nl2sql
