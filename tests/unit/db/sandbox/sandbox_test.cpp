#include "db/sandbox/sandbox.hpp"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::Host;
using test::run;
using test::settings_with;
using test::show;
using test::TempDir;
using test::TestConnection;
using testing::internal::CaptureStderr;

std::string repeat(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated += text;
  return repeated;
}

// A host with the table t(i, r, s, b) in a file, so that leftover locks can be found.
class SandboxTest : public testing::Test {
 protected:
  SandboxTest() : host_(dir_.file("host.db")) {
    host_.exec(
        "CREATE TABLE t(i INTEGER, r REAL, s TEXT, b BLOB); INSERT INTO t VALUES (1, 2.5, 'x', x'00ff'), (NULL, NULL, "
        "'', x'')");
  }
  // Whatever a query did, the host is unharmed and can commit.
  void TearDown() override {
    host_.expect_unharmed();
    host_.expect_no_lock(dir_.file("host.db"));
  }

  Result<ResultSet> run_with(const Settings& settings, std::string_view sql) {
    return run(host_.databases(), std::nullopt, sql, settings);
  }
  ErrorCode code_of(std::string_view sql) {
    auto result = run(host_.databases(), std::nullopt, sql, host_.settings());
    EXPECT_FALSE(result.ok()) << quote_for_message(sql) << " gives " << quote_for_message(show(result));
    return result.ok() ? ErrorCode::internal : result.error().code;
  }

  TempDir dir_;
  Host host_;
};

TEST_F(SandboxTest, ReturnsTheRowsOfAQuery) {
  auto result = run(host_.databases(), std::nullopt, "SELECT i, r AS other, s, b FROM t");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(show(*result), "1|2.5|x|X'00FF';NULL|NULL||X''");
  EXPECT_EQ(result->column_names(), (std::vector<std::string>{"i", "other", "s", "b"}));
  EXPECT_EQ(result->type_at(0, 0), ValueType::integer);
  EXPECT_EQ(result->type_at(0, 1), ValueType::real);
  EXPECT_EQ(result->type_at(1, 2), ValueType::text);
  EXPECT_EQ(result->type_at(1, 3), ValueType::blob);
  EXPECT_EQ(result->type_at(1, 0), ValueType::null);
}

TEST_F(SandboxTest, AnEmptyResultKeepsItsColumns) {
  auto result = run(host_.databases(), std::nullopt, "SELECT i, s FROM t WHERE i = 99");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->row_count(), 0U);
  EXPECT_EQ(result->column_count(), 2U);
}

TEST_F(SandboxTest, RunsEveryFormOfSelect) {
  EXPECT_EQ(host_.ask("VALUES (1, 2), (3, 4)"), "1|2;3|4");
  EXPECT_EQ(host_.ask("WITH c(x) AS (SELECT 7) SELECT x FROM c"), "7");
  EXPECT_EQ(host_.ask("WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM c WHERE x<3) SELECT sum(x) FROM c"),
            "6");
  EXPECT_EQ(host_.ask("SELECT 1 UNION SELECT 2 EXCEPT SELECT 1"), "2");
  EXPECT_EQ(host_.ask("SELECT sum(i) OVER (ORDER BY i ROWS 1 PRECEDING) FROM t WHERE i NOTNULL"), "1");
  EXPECT_EQ(host_.ask("SELECT (SELECT max(i) FROM t), EXISTS(SELECT 1 FROM t)"), "1|1");
  EXPECT_EQ(host_.ask("SELECT value FROM json_each('[5,6]')"), "5;6");
  EXPECT_EQ(host_.ask("SELECT name, type FROM pragma_table_info('t') LIMIT 2"), "i|INTEGER;r|REAL");
  EXPECT_EQ(host_.ask("SELECT name FROM sqlite_schema WHERE type = 'table'"), "t");
  EXPECT_EQ(host_.ask("  -- a comment\n /* and another */ ; select 1 ; -- and the end"), "1");
  EXPECT_EQ(host_.ask("SELECT 1 /* not closed"), "1");
  EXPECT_EQ(host_.ask("\xef\xbb\xbfSELECT 'byte order mark'"), "byte order mark");
}

TEST_F(SandboxTest, DoubleQuotedStringsFallBackAsInSqlite) {
  EXPECT_EQ(host_.ask(R"(SELECT "nmae" FROM t LIMIT 1)"), "nmae");
}

TEST_F(SandboxTest, RefusesWhatIsNotOneSelect) {
  for (const char* sql : {"",
                          "   ",
                          ";",
                          "-- only a comment",
                          "/* open",
                          "SELECT 1; SELECT 2",
                          "SELECT 1; DROP TABLE t",
                          "INSERT INTO t VALUES (1,1,1,1)",
                          "UPDATE t SET i = 1",
                          "DELETE FROM t",
                          "DELETE FROM t RETURNING *",
                          "REPLACE INTO t(i) VALUES (1)",
                          "WITH c AS (SELECT 1) DELETE FROM t",
                          "WITH c AS (SELECT 1) INSERT INTO t(i) SELECT * FROM c",
                          "WITH c AS (SELECT 1) UPDATE t SET i = 2",
                          "CREATE TABLE u(x)",
                          "CREATE TEMP TABLE u(x)",
                          "CREATE TABLE u AS SELECT 1",
                          "CREATE VIEW v AS SELECT 1",
                          "CREATE INDEX ix ON t(i)",
                          "DROP TABLE t",
                          "ALTER TABLE t ADD COLUMN x",
                          "ATTACH ':memory:' AS x",
                          "DETACH main",
                          "PRAGMA user_version = 3",
                          "PRAGMA table_info(t)",
                          "PRAGMA temp_store = 2",
                          "BEGIN",
                          "COMMIT",
                          "SAVEPOINT s",
                          "ROLLBACK",
                          "VACUUM",
                          "VACUUM INTO '/tmp/x.db'",
                          "ANALYZE",
                          "REINDEX",
                          "EXPLAIN SELECT 1",
                          "EXPLAIN QUERY PLAN SELECT 1",
                          "explain select 1",
                          "(SELECT 1)",
                          "hello",
                          "42",
                          "'x'",
                          "SELECT\0 1; DROP TABLE t"})
    EXPECT_EQ(code_of(sql), std::string_view(sql) == "SELECT" ? ErrorCode::query_failed : ErrorCode::not_allowed)
        << sql;
  EXPECT_EQ(code_of(std::string_view("SELECT 1\0; DROP TABLE t", 23)), ErrorCode::not_allowed);
  EXPECT_EQ(code_of("SELECT '\xff'"), ErrorCode::not_allowed);
  EXPECT_EQ(code_of("SELECT 'a\xc3'"), ErrorCode::not_allowed);
  EXPECT_EQ(host_.value("SELECT count(*), group_concat(name) FROM sqlite_schema"), "1");
  EXPECT_EQ(host_.value("SELECT count(*) FROM t"), "2");
}

TEST_F(SandboxTest, RefusalsSayWhy) {
  EXPECT_EQ(host_.ask(""), "error: the query is empty");
  EXPECT_EQ(host_.ask("SELECT 1; SELECT 2"), "error: the query has more than one statement");
  EXPECT_EQ(host_.ask("DROP TABLE t"), "error: the sandbox runs SELECT statements only, not DROP");
  EXPECT_EQ(host_.ask("WITH c AS (SELECT 1) DELETE FROM t"),
            "error: the sandbox runs SELECT statements only, not DELETE");
  EXPECT_EQ(host_.ask("SELECT load_extension('x')"),
            "error: the function load_extension() may not be used in the sandbox");
  EXPECT_EQ(host_.ask("SELECT * FROM pragma_database_list"),
            "error: the pragma database_list may not be used in the sandbox");
  EXPECT_EQ(host_.ask("SELECT '\xff'"), "error: the query is not valid UTF-8");
}

TEST_F(SandboxTest, RefusesFunctionsThatReachOutside) {
  for (const char* sql :
       {"SELECT load_extension('x')", "SELECT LOAD_EXTENSION('x', 'y')", "SELECT fts3_tokenizer('simple')",
        "SELECT sqlite_log(1, 'x')", "SELECT last_insert_rowid()", "SELECT changes()", "SELECT total_changes()",
        "SELECT json_patch('{}', '{}')", "SELECT i FROM t WHERE load_extension(s)",
        "SELECT count(*) FROM t GROUP BY sqlite_log(1, s)"})
    EXPECT_EQ(code_of(sql), ErrorCode::not_allowed) << sql;
  // Functions that the sqlite3 shell defines are not there at all.
  for (const char* sql :
       {"SELECT writefile('x', 'y')", "SELECT readfile('/etc/passwd')", "SELECT edit('x')", "SELECT ask('SELECT 1')"})
    EXPECT_EQ(code_of(sql), ErrorCode::unknown_function) << sql;
}

TEST_F(SandboxTest, RefusesTablesAndPragmasThatLookOutside) {
  EXPECT_EQ(code_of("SELECT * FROM sqlite_stmt"), ErrorCode::query_failed);
  EXPECT_EQ(code_of("SELECT * FROM dbstat"), ErrorCode::query_failed);
  for (const char* pragma : {"database_list", "function_list", "module_list", "compile_options", "journal_mode",
                             "schema_version", "cache_size", "user_version"})
    EXPECT_FALSE(run(host_.databases(), std::nullopt, std::string("SELECT * FROM pragma_") + pragma).ok()) << pragma;
  for (const char* pragma :
       {"table_info('t')", "table_xinfo('t')", "index_list('t')", "foreign_key_list('t')", "table_list"})
    EXPECT_TRUE(run(host_.databases(), std::nullopt, std::string("SELECT * FROM pragma_") + pragma).ok()) << pragma;
}

TEST_F(SandboxTest, AQueryThatFailsIsNotBlamedOnTheSandbox) {
  EXPECT_EQ(code_of("SELECT nope FROM t"), ErrorCode::query_failed);
  EXPECT_EQ(code_of("SELECT * FROM nowhere"), ErrorCode::query_failed);
  EXPECT_EQ(code_of("SELEC 1"), ErrorCode::not_allowed);
  EXPECT_EQ(code_of("SELECT FROM"), ErrorCode::query_failed);
  EXPECT_EQ(code_of("SELECT abs(-9223372036854775807 - 1)"), ErrorCode::query_failed);
  EXPECT_EQ(code_of("SELECT sum(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)"),
            ErrorCode::query_failed);
  EXPECT_EQ(host_.ask("SELECT nope FROM t"), "error: no such column: nope");
  EXPECT_EQ(host_.ask("SELECT host_function(1)"),
            "error: no such function: host_function (the sandbox provides only those built into SQLite)");
  EXPECT_EQ(host_.ask("SELECT 1 AS after_a_failure"), "1");
}

// Within one instruction, where the progress handler is not called: seconds for each before they were replaced.
TEST_F(SandboxTest, TheDeadlineHoldsWithinOneFunction) {
  const Settings quick = settings_with({{"timeout_ms", 100}});
  const std::string past_deadline = "error: the query ran longer than the setting timeout_ms = 100 allows";
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(show(run_with(quick, "SELECT hex(zeroblob(8000000)) LIKE '%' || hex(zeroblob(95)) || '1'")), past_deadline);
  EXPECT_EQ(show(run_with(quick, "SELECT hex(zeroblob(8000000)) GLOB '*' || hex(zeroblob(95)) || '1'")), past_deadline);
  (void)run_with(quick, "SELECT printf('%.1000000000c', 'x')");
  (void)run_with(quick, "SELECT printf('%.*c%.*c%.*c', 1000000000, 'x', 1000000000, 'x', 1000000000, 'x')");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

// Parsing a byte of JSON takes longer than copying a byte.
TEST_F(SandboxTest, TextsAreShorterWhereAByteTakesLong) {
  EXPECT_EQ(show(run_with(host_.settings(), "SELECT length(hex(zeroblob(6000000)))")), "12000000");
  const auto refused = show(run_with(host_.settings(), "SELECT json_valid(hex(zeroblob(6000000)))"));
  EXPECT_NE(refused.find("max_length, reduced"), std::string::npos) << refused;
  EXPECT_EQ(show(run_with(host_.settings(), "SELECT json_valid('[' || hex(zeroblob(1000)) || ']')")), "0");
}

TEST_F(SandboxTest, StepsAreLimitedIfAsked) {
  const std::string counting = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT ";
  const auto count_to = [&](int rows) { return counting + std::to_string(rows) + ") SELECT count(*) FROM c"; };
  const Settings few = settings_with({{"max_steps", 100'000}});
  EXPECT_EQ(show(run_with(few, count_to(1'000))), "1000");
  EXPECT_EQ(show(run_with(few, count_to(100'000))),
            "error: the query took more steps than the setting max_steps = 100000 allows");
  EXPECT_EQ(show(run_with(few, "SELECT 1")), "1");
  EXPECT_EQ(show(run_with(host_.settings(), count_to(100'000))), "100000");
  // The same query always has the same fate, however fast the machine is.
  int longest = 0;
  for (int rows = 1'000; rows < 100'000 && run_with(few, count_to(rows)).ok(); rows += 500) longest = rows;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(run_with(few, count_to(longest)).ok());
    EXPECT_FALSE(run_with(few, count_to(longest + 500)).ok());
  }
}

TEST_F(SandboxTest, NoQueryRunsPastADeadline) {
  const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c";
  const Settings settings = settings_with({{"timeout_ms", 60'000}});
  const auto lease = (*host_.databases().open(std::nullopt, settings))->lease().value();
  {
    const ScopedDeadline deadline(*lease, std::chrono::steady_clock::now() + std::chrono::milliseconds(50));
    EXPECT_EQ(lease->run(endless).error().code, ErrorCode::limit_exceeded);
    EXPECT_EQ(lease->run(endless).error().code, ErrorCode::limit_exceeded);
  }
  EXPECT_TRUE(lease->run("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 100000) SELECT 1").ok());
}

TEST_F(SandboxTest, EndlessAndHugeQueriesEnd) {
  const Settings quick = settings_with({{"timeout_ms", 100}});
  for (const char* sql : {
           "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c",
           "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x+1 FROM c) SELECT max(x) FROM c",
           "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT x FROM c ORDER BY random()",
           "WITH RECURSIVE c(x) AS (SELECT randomblob(10000000) UNION ALL SELECT randomblob(10000000) FROM c) SELECT "
           "count(*) FROM c",
           "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT group_concat(hex(randomblob(1000))) "
           "FROM c LIMIT 1",
       }) {
    auto result = run_with(quick, sql);
    ASSERT_FALSE(result.ok()) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded) << sql << ": " << result.error().message;
  }
  EXPECT_EQ(
      show(run_with(quick, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c")),
      "error: the query ran longer than the setting timeout_ms = 100 allows");
  EXPECT_EQ(show(run_with(quick, "SELECT 1")), "1");
}

TEST_F(SandboxTest, RowsAndBytesAreLimited) {
  constexpr const char* billion =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 1000000000) SELECT x FROM c";
  EXPECT_EQ(show(run_with(settings_with({{"max_rows", 1000}}), billion)),
            "error: the query returns more rows than the setting max_rows = 1000 allows");
  EXPECT_EQ(show(run_with(settings_with({{"max_bytes", 10'000}}), billion)),
            "error: the rows of the query take more bytes than the setting max_bytes = 10000 allows");
  EXPECT_EQ(run_with(settings_with({{"max_rows", 3}}), "VALUES (1),(2),(3)")->row_count(), 3U);
  EXPECT_FALSE(run_with(settings_with({{"max_rows", 2}}), "VALUES (1),(2),(3)").ok());
}

TEST_F(SandboxTest, LargeValuesAreLimited) {
  for (const char* sql :
       {"SELECT zeroblob(1000000000)", "SELECT length(zeroblob(1000000000))", "SELECT randomblob(1000000000)",
        "SELECT hex(zeroblob(9000000))", "SELECT replace(hex(zeroblob(8000000)), '0', 'aaaaaaaa')",
        "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x||x FROM c) SELECT length(x) FROM c",
        "SELECT quote(zeroblob(9000000))", "SELECT group_concat(hex(zeroblob(5000000))) FROM (VALUES (1),(2),(3))"}) {
    auto result = run_with(test::default_settings(), sql);
    ASSERT_FALSE(result.ok()) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded) << sql << ": " << result.error().message;
    EXPECT_NE(result.error().message.find("max_length"), std::string::npos);
  }
  EXPECT_EQ(show(run_with(settings_with({{"max_length", 2000}}), "SELECT length(zeroblob(2000))")), "2000");
  EXPECT_FALSE(run_with(settings_with({{"max_length", 2000}}), "SELECT length(zeroblob(2001))").ok());
  EXPECT_FALSE(run_with(settings_with({{"max_length", 2000}}), "SELECT '" + std::string(2000, 'x') + "'").ok());
}

// A row of expressions is one step to the progress handler: what it may take is bounded by shorter values.
TEST_F(SandboxTest, ManyLargeValuesInOneRowAreLimited) {
  std::string sql = "SELECT length(randomblob(16000000))";
  for (int i = 0; i < 1000; ++i) sql += ", length(randomblob(16000000))";
  EXPECT_EQ(code_of(sql), ErrorCode::limit_exceeded);
  sql = "SELECT length(x||x)";
  for (int i = 0; i < 1000; ++i) sql += ", length(x||x)";
  sql += " FROM (SELECT hex(zeroblob(4000000)) AS x)";
  EXPECT_EQ(code_of(sql), ErrorCode::limit_exceeded);
  // A query of ordinary size is not affected.
  EXPECT_EQ(host_.ask("SELECT length(hex(zeroblob(8000000)) || 'x')"), "16000001");
}

TEST_F(SandboxTest, QuadraticFunctionsAreLinear) {
  // Each of these takes more than a minute in SQLite's own functions, within one instruction.
  host_.exec("CREATE TABLE big AS SELECT replace(hex(zeroblob(200000)), '0', 'a') AS s");
  EXPECT_EQ(host_.ask("SELECT instr(s, substr(s, 1, 200000) || 'b') FROM big"), "0");
  EXPECT_EQ(host_.ask("SELECT length(replace(s, substr(s, 1, 200000) || 'b', 'x')) FROM big"), "400000");
  EXPECT_EQ(host_.ask("SELECT length(trim(s, substr(replace(s, 'a', 'b'), 1, 200000) || 'a')) FROM big"), "0");
}

TEST_F(SandboxTest, ComplexityIsLimited) {
  EXPECT_EQ(code_of("SELECT " + repeat("1+", 2000) + "1"), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("SELECT 1" + repeat(" UNION ALL SELECT 1", 150)), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("SELECT 1 WHERE 1 IN (" + repeat("random(),", 60'000) + "1)"), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("SELECT '" + std::string(1 << 20, 'x') + "'"), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("SELECT 1" + std::string(17 << 20, ' ')), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("SELECT " + repeat("(", 3000) + "1" + repeat(")", 3000)),
            ErrorCode::query_failed);  // the parser's stack
  // The same below the limits.
  EXPECT_EQ(host_.ask("SELECT " + repeat("1+", 900) + "1"), "901");
  EXPECT_TRUE(run(host_.databases(), std::nullopt, "SELECT 1" + repeat(" UNION ALL SELECT 1", 90)).ok());
}

// Chains of common table expressions and views: each link doubles the query, or adds to the depth of recursion.
TEST_F(SandboxTest, ChainsOfSubqueriesNeitherExhaustMemoryNorOverflowTheStack) {
  const auto chain = [](int links, const std::string& columns) {
    std::string sql = "WITH c0(a) AS (SELECT i FROM t)";
    for (int i = 1; i <= links; ++i) {
      sql += ", c" + std::to_string(i);
      sql += " AS (SELECT " + columns + " AS a FROM c" + std::to_string(i - 1) + ")";
    }
    return sql + " SELECT a FROM c" + std::to_string(links);
  };
  auto doubling = run_with(settings_with({{"timeout_ms", 300}}), chain(60, "a+a"));
  ASSERT_FALSE(doubling.ok());
  EXPECT_EQ(doubling.error().code, ErrorCode::limit_exceeded) << doubling.error().message;
  EXPECT_EQ(code_of(chain(30'000, "a")), ErrorCode::limit_exceeded);
  EXPECT_EQ(host_.ask(chain(8, "a+a")), "256;NULL");
  EXPECT_EQ(host_.ask(chain(100, "a")), "1;NULL");
}

// One link alone multiplies the query by much more than two.
TEST_F(SandboxTest, SubqueriesThatMultiplyAnExpressionAreRefused) {
  for (const auto& [mentions, links] :
       {std::pair(30, 6), std::pair(100, 4), std::pair(1000, 3), std::pair(20'000, 2)}) {
    std::string sql = "SELECT i AS a FROM t";
    for (int i = 0; i < links; ++i) sql = "SELECT a IN (a" + repeat(",a", mentions) + ") AS a FROM (" + sql + ")";
    EXPECT_EQ(code_of(sql), ErrorCode::limit_exceeded) << mentions << "^" << links;
  }
  EXPECT_EQ(
      code_of("SELECT i IN (i" + repeat(",i", 20'000) + ") AS a FROM t WHERE a IN (a" + repeat(",a", 20'000) + ")"),
      ErrorCode::limit_exceeded);
  EXPECT_EQ(host_.ask("SELECT a IN (a" + repeat(",a", 500) + ") FROM (SELECT 1 AS a)"), "1");
}

// SQLite asks for no limit while it puts common tables and views in the place of their names.
TEST_F(SandboxTest, CommonTablesAndViewsThatMultiplyAreRefused) {
  const auto joined = [](int levels, const std::string& first) {
    std::string sql = "WITH c0(a) AS (" + first + ")";
    for (int i = 1; i <= levels; ++i) {
      const std::string below = "c" + std::to_string(i - 1);
      sql += ", c" + std::to_string(i) + " AS (SELECT x.a FROM " + below + " x, " + below + " y)";
    }
    return sql + " SELECT a FROM c" + std::to_string(levels);
  };
  EXPECT_EQ(host_.ask(joined(8, "SELECT 1")), "1");
  for (const int levels : {16, 60, 200}) EXPECT_EQ(code_of(joined(levels, "SELECT 1")), ErrorCode::limit_exceeded);
  TempDir dir;
  {
    const TestConnection views(dir.file("views.db"));
    views.exec("CREATE VIEW v(a) AS " + joined(9, "SELECT 1"));
  }
  EXPECT_EQ(host_.ask("SELECT a FROM v", dir.file("views.db")), "1");
  EXPECT_NE(host_.ask(joined(5, "SELECT a FROM v"), dir.file("views.db")).find("expands to too many SELECTs"),
            std::string::npos);
}

TEST_F(SandboxTest, ViewsThatNestTooDeeplyAreRefused) {
  TempDir dir;
  {
    // As in a tampered file: written into the schema table.
    const TestConnection deep(dir.file("deep.db"));
    deep.exec(
        "CREATE VIEW v0 AS SELECT 1 AS a; PRAGMA writable_schema = ON;"
        "WITH RECURSIVE c(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM c WHERE i < 19999) INSERT INTO "
        "sqlite_schema(type, name, tbl_name, rootpage, "
        "sql)"
        "SELECT 'view', 'v'||i, 'v'||i, 0, 'CREATE VIEW v'||i||' AS SELECT a FROM v'||(i-1) FROM c");
    const TestConnection wide(dir.file("wide.db"));
    wide.exec(
        "CREATE VIEW w0 AS SELECT 1 AS a; CREATE VIEW x AS SELECT a FROM y; CREATE VIEW y AS SELECT a FROM x; PRAGMA "
        "writable_schema = ON;"
        "WITH RECURSIVE c(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM c WHERE i < 19999) INSERT INTO "
        "sqlite_schema(type, name, tbl_name, rootpage, "
        "sql)"
        "SELECT 'view', 'w'||i, 'w'||i, 0, 'CREATE VIEW w'||i||' AS SELECT a FROM w0' FROM c");
  }
  EXPECT_NE(host_.ask("SELECT a FROM v19999", dir.file("deep.db")).find("views are nested too deeply"),
            std::string::npos);
  {
    // Few views, with expressions that SQLite nests.
    const TestConnection high(dir.file("high.db"));
    std::string sums;
    for (int i = 0; i < 900; ++i) sums += "+1";
    high.exec("CREATE TABLE t(x); CREATE VIEW h0 AS SELECT x FROM t");
    for (int i = 1; i < 60; ++i)
      high.exec("CREATE VIEW h" + std::to_string(i) + " AS SELECT x" + sums + " AS x FROM h" + std::to_string(i - 1));
  }
  EXPECT_NE(host_.ask("SELECT x FROM h59", dir.file("high.db")).find("views are nested too deeply"), std::string::npos);
  EXPECT_EQ(host_.ask("SELECT a FROM w19999", dir.file("wide.db")), "1");
  EXPECT_EQ(host_.ask("SELECT a FROM x", dir.file("wide.db")), "error: view x is circularly defined");
}

TEST_F(SandboxTest, VirtualTablesOfSqliteCanBeRead) {
  TempDir dir;
  {
    const TestConnection writer(dir.file("v.db"));
    writer.exec(
        "CREATE VIRTUAL TABLE f5 USING fts5(body); INSERT INTO f5 VALUES ('one two'), ('three');"
        "CREATE VIRTUAL TABLE f4 USING fts4(body); INSERT INTO f4 VALUES ('one two'), ('three');"
        "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 5), (2, 6, 9)");
  }
  EXPECT_EQ(host_.ask("SELECT body FROM f5 WHERE f5 MATCH 'two'", dir.file("v.db")), "one two");
  EXPECT_EQ(host_.ask("SELECT highlight(f5, 0, '<', '>') FROM f5('three')", dir.file("v.db")), "<three>");
  EXPECT_EQ(host_.ask("SELECT body FROM f4 WHERE body MATCH 'three'", dir.file("v.db")), "three");
  EXPECT_EQ(host_.ask("SELECT id FROM r WHERE x0 > 5", dir.file("v.db")), "2");
  EXPECT_EQ(host_.ask("WITH w AS (SELECT id FROM r WHERE x0 < 5) SELECT * FROM w", dir.file("v.db")), "1");
  EXPECT_NE(host_.ask("WITH w AS (SELECT 1) DELETE FROM r", dir.file("v.db")).find("SELECT statements only"),
            std::string::npos);
}

TEST_F(SandboxTest, SchemasCannotCallWhatQueriesMayNot) {
  TempDir dir;
  const auto refused = [&](const char* schema) {
    const std::string path = dir.file("hostile.db");
    std::filesystem::remove(path);
    const TestConnection writer(path);
    writer.exec(std::string("CREATE TABLE a(x); INSERT INTO a VALUES (1);") + schema);
    auto result = run(host_.databases(), path, "SELECT * FROM v");
    EXPECT_FALSE(result.ok()) << schema;
  };
  refused("CREATE VIEW v AS SELECT load_extension('x') FROM a");
  refused("CREATE VIEW v AS SELECT * FROM pragma_database_list");
  refused("CREATE VIEW v AS SELECT * FROM dbstat");
  refused("CREATE VIEW v AS SELECT sqlite_log(1, 'x')");
}

TEST_F(SandboxTest, AnotherThreadCanInterrupt) {
  auto source = host_.databases().open(std::nullopt, host_.settings());
  ASSERT_TRUE(source.ok());
  auto lease = (*source)->lease();
  ASSERT_TRUE(lease.ok());
  (*lease)->interrupt();  // nothing runs: without effect
  EXPECT_EQ(show((*lease)->run("SELECT 1")), "1");
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      (*lease)->interrupt();
      std::this_thread::yield();
    }
  });
  auto result = (*lease)->run("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c");
  done = true;
  other.join();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::interrupted);
  EXPECT_EQ(show((*lease)->run("SELECT 1")), "1");
}

TEST_F(SandboxTest, AQueryCanBeStopped) {
  auto source = host_.databases().open(std::nullopt, host_.settings());
  ASSERT_TRUE(source.ok());
  int asked = 0;
  {
    auto lease = (*source)->lease().value();
    lease->set_stop([&] { return ++asked == 3; });
    auto result = lease->run("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::interrupted);
    EXPECT_EQ(asked, 3);
  }
  EXPECT_EQ(show(run_with(settings_with({{"timeout_ms", 200}}),
                          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c")),
            "error: the query ran longer than the setting timeout_ms = 200 allows");
  EXPECT_EQ(asked, 3);
}

TEST_F(SandboxTest, WhatTheCallerThrowsWhileAQueryRunsEndsItWithThatError) {
  constexpr const char* endless =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c";
  const auto lease = (*host_.databases().open(std::nullopt, host_.settings()))->lease().value();
  const auto error_of = [&](std::function<bool()> stop) {
    lease->set_stop(std::move(stop));
    auto rows = lease->run(endless);
    EXPECT_FALSE(rows.ok());
    return rows.ok() ? Error() : std::move(rows).error();
  };
  EXPECT_EQ(error_of([]() -> bool { throw std::bad_alloc(); }).code, ErrorCode::out_of_memory);
  EXPECT_EQ(error_of([]() -> bool { throw std::runtime_error("so it is"); }).message, "internal error: so it is");
  EXPECT_EQ(error_of([]() -> bool { throw 7; }).message, "internal error");
  EXPECT_EQ(error_of([] { return true; }).code, ErrorCode::interrupted);
  EXPECT_EQ(show(lease->run("SELECT 1")), "1");
}

TEST_F(SandboxTest, ParametersHaveNoValues) {
  EXPECT_EQ(host_.ask("SELECT ?"),
            "error: the query has parameters, for which there are no values; write the values into the query");
  EXPECT_EQ(code_of("SELECT * FROM t WHERE s = :name"), ErrorCode::query_failed);
  EXPECT_EQ(host_.ask("SELECT '?' || \":x\" FROM t LIMIT 1"), "?:x");
}

// A query with many functions lowers the limit for itself only.
TEST_F(SandboxTest, TheLengthLimitIsThatOfEachQuery) {
  std::string many = "SELECT 1";
  for (int i = 0; i < 4000 / 4; ++i) many += ", hex(i)";
  EXPECT_TRUE(run(host_.databases(), std::nullopt, many + " FROM t LIMIT 1").ok());
  EXPECT_EQ(host_.ask("SELECT length('" + std::string(500'000, 'x') + "')"), "500000");
}

// SQLite 3.38 to 3.40 do not call their JSON functions innocuous.
constexpr const char* schema_with_json =
    "CREATE TABLE j(id INTEGER PRIMARY KEY, doc TEXT CHECK (json_valid(doc)), name TEXT AS (json_extract(doc, "
    "'$.name')));"
    "CREATE INDEX by_size ON j(json_extract(doc, '$.size'));"
    "CREATE VIEW big AS SELECT id, name FROM j WHERE json_extract(doc, '$.size') > 5;"
    "INSERT INTO j(doc) VALUES ('{\"name\":\"a\",\"size\":7}'), ('{\"name\":\"b\",\"size\":3}')";

TEST_F(SandboxTest, SchemasMayUseJson) {
  host_.exec(schema_with_json);
  EXPECT_EQ(host_.ask("SELECT name FROM j ORDER BY id"), "a;b");
  EXPECT_EQ(host_.ask("SELECT name FROM big"), "a");
}

// An extension that the host loads automatically registers its functions in private connections too.
int automatic_extension(sqlite3* db, char**, const sqlite3_api_routines*) {
  const auto answer = [](sqlite3_context* context, int, sqlite3_value**) {
    sqlite3_result_text(context, "from outside", -1, SQLITE_STATIC);
  };
  sqlite3_create_function_v2(db, "outside", -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nullptr, answer, nullptr, nullptr,
                             nullptr);
  sqlite3_create_function_v2(db, "upper", 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nullptr, answer, nullptr, nullptr,
                             nullptr);
  sqlite3_create_function_v2(db, "instr", 2, SQLITE_UTF8 | SQLITE_INNOCUOUS, nullptr, answer, nullptr, nullptr,
                             nullptr);
  static const sqlite3_module no_module{};
  return sqlite3_create_module_v2(db, "outside_table", &no_module, nullptr, nullptr);
}

TEST(SandboxAutoExtension, FunctionsAndTablesFromOutsideAreDenied) {
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(automatic_extension));
  {
    Host host;
    EXPECT_EQ(host.value("SELECT upper('a')"), "from outside");
    EXPECT_EQ(host.ask("SELECT outside(1)"), "error: the function outside() may not be used in the sandbox");
    EXPECT_EQ(host.ask("SELECT upper('a')"),
              "error: the function upper() may not be used in the sandbox: an extension has replaced SQLite's own");
    EXPECT_EQ(host.ask("SELECT lower('A')"), "a");
    EXPECT_EQ(host.ask("SELECT * FROM outside_table"), "error: no such table: outside_table");
    // instr is replaced by the sandbox itself, whatever was there before.
    EXPECT_EQ(host.ask("SELECT instr('abc', 'c')"), "3");
  }
  sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(automatic_extension));
}

// It may do anything.
int registers_a_function(sqlite3* db, char**, const sqlite3_api_routines*) {
  const auto answer = [](sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_int(context, 1); };
  return sqlite3_create_function_v2(db, "outside", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, answer, nullptr,
                                    nullptr, nullptr);
}

TEST(SandboxAutoExtension, SchemasMayNotUseFunctionsFromOutside) {
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(registers_a_function));
  {
    Host host;
    host.exec(schema_with_json);
    host.exec("CREATE TABLE o(a, b AS (outside(a))); INSERT INTO o(a) VALUES (1)");
    EXPECT_EQ(host.value("SELECT b FROM o"), "1");
    EXPECT_EQ(host.ask("SELECT b FROM o"), "error: unsafe use of outside()");
  }
  sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(registers_a_function));
}

}  // namespace
}  // namespace trustsql
