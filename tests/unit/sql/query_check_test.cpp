// What is reported about queries that do not prepare.
#include "sql/query_check.hpp"

#include <gtest/gtest.h>

#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {
namespace {

using Names = std::vector<std::string>;

class QueryCheck : public ::testing::Test {
 protected:
  QueryCheck() {
    sqlite3* db = nullptr;
    sqlite3_open(":memory:", &db);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, R"(
      CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
      CREATE TABLE song(song_id INTEGER PRIMARY KEY, title TEXT, singer_id INT, Model TEXT);
      CREATE TABLE "odd table"("model" TEXT, "x y" INT);
      CREATE VIEW french AS SELECT name FROM singer WHERE country = 'France';
      CREATE VIEW broken AS SELECT nope FROM singer;
      ATTACH ':memory:' AS aux;
      CREATE TABLE aux.extra(name, model);
    )",
                           nullptr, nullptr, &message),
              SQLITE_OK)
        << message;
    catalog_ = *read_catalog(db);
    sqlite3_close(db);
  }

  QueryProblem problem(std::string_view sql) {
    const auto problem = check_query(sql, catalog_);
    EXPECT_TRUE(problem.has_value()) << sql;
    return problem.value_or(QueryProblem{});
  }

  Catalog catalog_;
};

TEST_F(QueryCheck, NothingIsWrong) {
  EXPECT_FALSE(check_query("SELECT name FROM singer JOIN song USING (singer_id)", catalog_));
  EXPECT_FALSE(check_query("SELECT \"nope\" FROM singer;", catalog_)) << "a string to SQLite";
}

TEST_F(QueryCheck, OrderedSetAggregates) {
  const auto message = [&](std::string_view call) {
    const auto problem = check_query("SELECT " + std::string(call) + " WITHIN GROUP (ORDER BY song_id) FROM song",
                                     catalog_, {.ordered_sets = true});
    return problem ? problem->message : "";
  };
  EXPECT_EQ(message("median()"), "");
  EXPECT_EQ(message("\"Percentile_Disc\"(0.5)"), "");
  EXPECT_EQ(message("percentile_cont()"), "wrong number of arguments to function percentile_cont()");
  EXPECT_EQ(message("sum()"), "sum() is not an ordered-set aggregate");
  EXPECT_EQ(message("unknown()"), "unknown() is not an ordered-set aggregate");
  EXPECT_EQ(message("percentile(DISTINCT 50)"), "DISTINCT not allowed on ordered-set aggregate percentile()");
}

// DART-SQL, Listing 3: all tables that have a column of that name, whichever the query is about.
TEST_F(QueryCheck, TablesThatHoldAMissingColumn) {
  const auto actual = problem("SELECT name,\n  T1.Model FROM singer AS T1");
  EXPECT_EQ(actual.kind, "missing_column");
  EXPECT_EQ(actual.message, "no such column: T1.Model");
  EXPECT_EQ(actual.line, 2);
  EXPECT_EQ(actual.column, 3);
  EXPECT_EQ(actual.name, "Model");
  EXPECT_EQ(actual.tables, (Names{"song", "odd table", "aux.extra"}));
  EXPECT_EQ(actual.in_scope, Names{});
}

TEST_F(QueryCheck, ColumnOfAnotherTableOfTheQuery) {
  const auto actual = problem("SELECT T1.title FROM singer AS T1 JOIN song AS T2 ON T1.singer_id = T2.singer_id");
  EXPECT_EQ(actual.tables, Names{"song"});
  EXPECT_EQ(actual.in_scope, Names{"T2"});
  ASSERT_FALSE(actual.nearest.empty());
  EXPECT_EQ(actual.nearest.front(), "T2.title");
}

TEST_F(QueryCheck, AmbiguousColumn) {
  const auto actual = problem("SELECT singer_id FROM singer, song AS s");
  EXPECT_EQ(actual.kind, "ambiguous_column");
  EXPECT_EQ(actual.tables, (Names{"singer", "song"}));
  EXPECT_EQ(actual.in_scope, (Names{"singer", "s"}));
  EXPECT_EQ(actual.nearest, Names{});
}

TEST_F(QueryCheck, NamesSpeltAlike) {
  EXPECT_EQ(problem("SELECT singerid FROM singer AS x").nearest.front(), "x.singer_id");
  EXPECT_EQ(problem("SELECT 1 FROM singers").nearest.front(), "singer");
  EXPECT_EQ(problem("SELECT 1 FROM singers").kind, "missing_table");
  EXPECT_EQ(problem("SELECT cuont(*) FROM singer").nearest.front(), "count");
  EXPECT_EQ(problem("SELECT cuont(*) FROM singer").kind, "missing_function");
  EXPECT_EQ(problem("SELECT zzzzzz FROM singer").nearest, Names{});
}

TEST_F(QueryCheck, Syntax) {
  const auto actual = problem("SELECT\n 'é' FROM FROM singer");
  EXPECT_EQ(actual.kind, "syntax");
  EXPECT_EQ(actual.line, 2);
  EXPECT_EQ(actual.column, 11);
  EXPECT_EQ(actual.message.find("line"), std::string::npos) << actual.message;
}

TEST_F(QueryCheck, OtherKinds) {
  EXPECT_EQ(problem("SELECT abs(1, 2)").kind, "function_arguments");
  EXPECT_EQ(problem("SELECT 1 FROM singer WHERE max(name) = 1").kind, "misuse");
  EXPECT_EQ(problem("SELECT 1 UNION SELECT 1, 2").kind, "columns");
  EXPECT_EQ(problem("SELECT 1 ORDER BY 2").kind, "order_by");
  EXPECT_EQ(problem("").kind, "syntax");
  EXPECT_EQ(problem("DELETE FROM singer").kind, "syntax");
  EXPECT_EQ(problem("SELECT 1; SELECT 2").kind, "syntax");
}

// The cause is not in the text of the query, so there is no position.
TEST_F(QueryCheck, InsideAView) {
  const auto actual = problem("SELECT * FROM broken");
  EXPECT_EQ(actual.kind, "missing_column");
  EXPECT_EQ(actual.line, 0);
  EXPECT_EQ(to_json(actual), R"({"kind":"missing_column","message":"no such column: nope","name":"nope","tables":[]})");
}

TEST_F(QueryCheck, JsonOfAnyBytes) {
  EXPECT_EQ(to_json(problem("SELECT [\xff\"] FROM singer")),
            "{\"kind\":\"missing_column\",\"message\":\"no such column: "
            "\xef\xbf\xbd\\\"\",\"line\":1,\"column\":8,\"name\":\"\xef\xbf\xbd\\\"\",\"tables\":[]}");
}

// SQLite takes "x" for a text if no column is called x.
TEST_F(QueryCheck, TextForAColumn) {
  const auto text = [&](std::string_view sql) {
    EXPECT_FALSE(check_query(sql, catalog_).has_value()) << sql;
    const auto problem = find_text_for_column(sql, catalog_);
    return problem ? problem->name : std::string("(none)");
  };
  EXPECT_EQ(text("SELECT \"nmae\" FROM singer"), "nmae");
  EXPECT_EQ(text("SELECT name FROM singer ORDER BY \"age\""), "age");
  EXPECT_EQ(text("SELECT count(\"age\") FROM singer"), "age");
  EXPECT_EQ(text("SELECT name FROM singer WHERE \"age\" > 3"), "age");
  EXPECT_EQ(text("SELECT name FROM singer WHERE \"a\" = \"b\""), "a");
  EXPECT_EQ(text("SELECT name FROM singer WHERE singer_id IN (SELECT \"singer\" FROM song)"), "singer");
  EXPECT_EQ(text("SELECT upper(\"age\") FROM singer"), "age");
  // Values.
  EXPECT_EQ(text("SELECT \"name\" FROM singer WHERE country = \"France\""), "(none)");
  EXPECT_EQ(text("SELECT name FROM singer WHERE \"France\" <> country AND name LIKE \"A%\" AND lower(country) IN "
                 "(\"fr\", \"de\")"),
            "(none)");
  EXPECT_EQ(text("SELECT CASE country WHEN \"fr\" THEN 1 ELSE 0 END FROM singer WHERE name BETWEEN \"A\" AND \"B\""),
            "(none)");
  EXPECT_EQ(text("SELECT strftime(\"%Y\", name), replace(name, \"-\", '') FROM singer"), "(none)");
  EXPECT_EQ(text("SELECT 'text', \"x y\" FROM \"odd table\""), "(none)");
  const auto problem = find_text_for_column("SELECT name,\n \"modell\" FROM singer", catalog_);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, "missing_column");
  EXPECT_EQ(problem->message, "no such column: modell");
  EXPECT_EQ(std::pair(problem->line, problem->column), std::pair(2, 2));
  EXPECT_FALSE(find_text_for_column("SELECT nothing", catalog_));
}

}  // namespace
}  // namespace trustsql
