// A NULL `database`: what the host connection sees, in every possible state.
#include "db/sources/host_database.hpp"

#include <atomic>
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

constexpr const char* count_t = "SELECT count(*) FROM t";
constexpr const char* make_t = "CREATE TABLE t(a); INSERT INTO t VALUES (1)";

// Each test runs on a host in memory and on one in a file, in rollback-journal and in WAL mode.
class HostDatabaseTest : public testing::TestWithParam<const char*> {
 protected:
  HostDatabaseTest()
      : path_(std::string_view(GetParam()) == "memory" ? ":memory:" : dir_.file("host.db")), host_(path_) {
    if (std::string_view(GetParam()) == "wal") host_.exec("PRAGMA journal_mode = WAL");
    host_.exec(make_t);
  }
  // Whatever happened, the host is unharmed and able to commit, and so is another connection.
  void TearDown() override {
    if (sqlite3_get_autocommit(host_.db()) == 0) host_.exec("ROLLBACK");
    host_.expect_unharmed();
    if (path_ != ":memory:") host_.expect_no_lock(path_);
    host_.close();
    EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  }

  TempDir dir_;
  std::string path_;
  Host host_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, HostDatabaseTest, testing::Values("memory", "file", "wal"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(HostDatabaseTest, SeesCommittedRowsAndTheirChanges) {
  EXPECT_EQ(host_.ask(count_t), "1");
  for (int i = 2; i < 5; ++i) {
    host_.exec("INSERT INTO t VALUES (0)");
    EXPECT_EQ(host_.ask(count_t), std::to_string(i));
  }
  host_.exec("DELETE FROM t");
  EXPECT_EQ(host_.ask(count_t), "0");
  host_.exec("ALTER TABLE t RENAME TO u");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "0");
  host_.exec("CREATE TABLE t(x, y)");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM pragma_table_info('t')"), "2");
}

TEST_P(HostDatabaseTest, SeesWhatATransactionHasChanged) {
  host_.exec("BEGIN; INSERT INTO t VALUES (2)");
  EXPECT_EQ(host_.ask(count_t), "2");
  host_.exec("INSERT INTO t VALUES (3); CREATE TABLE u AS SELECT a FROM t");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "3");
  host_.exec("ROLLBACK");
  EXPECT_EQ(host_.ask(count_t), "1");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "error: no such table: u");
}

TEST_P(HostDatabaseTest, SeesSavepoints) {
  host_.exec("SAVEPOINT one; INSERT INTO t VALUES (2); SAVEPOINT two; INSERT INTO t VALUES (3)");
  EXPECT_EQ(host_.ask(count_t), "3");
  host_.exec("ROLLBACK TO two");
  EXPECT_EQ(host_.ask(count_t), "2");
  host_.exec("RELEASE one");
  EXPECT_EQ(host_.ask(count_t), "2");
}

// The same number of changes and the same schema version, but different content.
TEST_P(HostDatabaseTest, SeesThroughARollback) {
  EXPECT_EQ(host_.ask(count_t), "1");
  host_.exec("BEGIN; CREATE TABLE u(x); INSERT INTO u VALUES (1)");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "1");
  host_.exec("ROLLBACK; BEGIN; CREATE TABLE v(x)");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM v"), "0");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "error: no such table: u");
  host_.exec("ROLLBACK");
}

TEST_P(HostDatabaseTest, InsideAReadTransaction) {
  host_.exec("BEGIN");
  EXPECT_EQ(host_.value(count_t), "1");
  EXPECT_EQ(host_.ask(count_t), "1");
  host_.exec("COMMIT");
}

TEST_P(HostDatabaseTest, CalledFromASelect) {
  EXPECT_EQ(host_.value("SELECT ask('SELECT count(*) FROM t')"), "1");
  EXPECT_EQ(
      host_.value(
          "SELECT group_concat(ask('SELECT ' || a || ' + count(*) FROM t')) FROM (SELECT a FROM t UNION ALL SELECT 5)"),
      "2,6");
  EXPECT_EQ(host_.value("SELECT ask('DROP TABLE t')"), "error: the sandbox runs SELECT statements only, not DROP");
  EXPECT_EQ(host_.value(count_t), "1");
}

TEST_P(HostDatabaseTest, CalledFromStatementsThatWrite) {
  host_.exec("CREATE TABLE r(x)");
  host_.exec("INSERT INTO r SELECT ask('SELECT count(*) FROM t') FROM t");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "1");
  host_.exec("INSERT INTO r VALUES (ask('SELECT count(*) FROM r'))");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "1,1");
  host_.exec("UPDATE r SET x = ask('SELECT count(*) FROM t') || 'u'");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "1u,1u");
  host_.exec("DELETE FROM r WHERE ask('SELECT count(*) FROM t') = '1'");
  EXPECT_EQ(host_.value("SELECT count(*) FROM r"), "0");
  host_.exec("CREATE TABLE made AS SELECT ask('SELECT count(*) FROM t') AS x FROM t");
  EXPECT_EQ(host_.value("SELECT x FROM made"), "1");
  host_.exec("CREATE TEMP TABLE made_temp AS SELECT ask('SELECT count(*) FROM t') AS x FROM t");
  EXPECT_EQ(host_.value("SELECT x FROM made_temp"), "1");
  host_.exec("INSERT INTO made_temp SELECT ask('SELECT count(*) FROM made_temp')");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM made_temp"), "1,1");
  host_.exec("BEGIN; INSERT INTO t VALUES (2); INSERT INTO r SELECT ask('SELECT count(*) FROM t'); COMMIT");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "2");
}

// Within one statement a snapshot is taken once; the next statement takes its own.
TEST_P(HostDatabaseTest, SnapshotsLiveForOneStatement) {
  host_.exec("CREATE TABLE r(x); INSERT INTO t VALUES (2), (3)");
  host_.exec("INSERT INTO r SELECT ask('SELECT count(*) FROM r') FROM t");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "0,0,0");
  host_.exec("INSERT INTO r SELECT ask('SELECT count(*) FROM r') FROM t");
  EXPECT_EQ(host_.value("SELECT group_concat(x) FROM r"), "0,0,0,3,3,3");

  host_.exec("BEGIN; INSERT INTO t VALUES (4)");
  StatementScope scope;
  EXPECT_EQ(show(run(host_.databases(), std::nullopt, count_t, host_.settings(), &scope)), "4");
  host_.exec("INSERT INTO t VALUES (5)");
  EXPECT_EQ(show(run(host_.databases(), std::nullopt, count_t, host_.settings(), &scope)), "4");
  scope = StatementScope();
  EXPECT_EQ(show(run(host_.databases(), std::nullopt, count_t, host_.settings(), &scope)), "5");
}

TEST_P(HostDatabaseTest, AnEmptyTempDatabaseIsNoChange) {
  const auto identity = [&] { return (*host_.databases().open(std::nullopt, host_.settings()))->identity(); };
  const auto before = identity();
  host_.exec("SELECT count(*) FROM temp.sqlite_master");  // creates it
  EXPECT_NE(sqlite3_db_filename(host_.db(), "temp"), nullptr);
  EXPECT_EQ(identity(), before);
  host_.exec("CREATE TEMP TABLE u(x)");
  EXPECT_NE(identity(), before);
  EXPECT_EQ(host_.ask("SELECT count(*) FROM u"), "0");
}

TEST_P(HostDatabaseTest, SeesTempTables) {
  host_.exec(
      "CREATE TEMP TABLE tt(x, y UNIQUE); INSERT INTO tt VALUES (1, 'a'), (2, 'b'); CREATE TEMP VIEW tv AS SELECT x, a "
      "FROM tt, main.t");
  EXPECT_EQ(host_.ask("SELECT x, y FROM tt"), "1|a;2|b");
  EXPECT_EQ(host_.ask("SELECT x, y FROM temp.tt WHERE y = 'b'"), "2|b");
  EXPECT_EQ(host_.ask("SELECT * FROM tv"), "1|1;2|1");
  host_.exec("UPDATE tt SET y = 'c' WHERE x = 1");
  EXPECT_EQ(host_.ask("SELECT y FROM tt WHERE x = 1"), "c");
  host_.exec("CREATE TEMP TABLE t(shadow)");
  EXPECT_EQ(host_.ask("SELECT shadow FROM t"), "");
  EXPECT_EQ(host_.ask("SELECT a FROM main.t"), "1");
  host_.exec("DROP TABLE temp.t; DROP TABLE tt");
  EXPECT_EQ(host_.ask("SELECT a FROM t"), "1");
  EXPECT_EQ(host_.ask("SELECT * FROM tt"), "error: no such table: tt");
}

TEST_P(HostDatabaseTest, AttachedDatabasesKeepTheirNames) {
  host_.exec("ATTACH ':memory:' AS \"odd name\"; CREATE TABLE \"odd name\".m(x); INSERT INTO m VALUES ('in memory')");
  host_.exec("ATTACH '" + dir_.file("other.db") +
             "' AS other; CREATE TABLE other.t(b); INSERT INTO other.t VALUES ('in other')");
  EXPECT_EQ(host_.ask("SELECT a, b, x FROM main.t, other.t, \"odd name\".m"), "1|in other|in memory");
  EXPECT_EQ(host_.ask("SELECT a FROM t"), "1");
  host_.exec("BEGIN; UPDATE other.t SET b = 'uncommitted'");
  EXPECT_EQ(host_.ask("SELECT b FROM other.t"), "uncommitted");
  host_.exec("ROLLBACK; DETACH \"odd name\"");
  EXPECT_EQ(host_.ask("SELECT b FROM other.t"), "in other");
  EXPECT_EQ(host_.ask("SELECT x FROM m"), "error: no such table: m");
  host_.exec("DETACH other");
  EXPECT_EQ(host_.ask("SELECT b FROM other.t"), "error: no such table: other.t");
}

TEST_P(HostDatabaseTest, WhatTheHostDefinedIsMissingByName) {
  sqlite3_create_collation_v2(
      host_.db(), "backwards", SQLITE_UTF8, nullptr, [](void*, int, const void*, int, const void*) { return 0; },
      nullptr);
  host_.exec(
      "CREATE TABLE c(x TEXT COLLATE backwards, y UNIQUE); INSERT INTO c VALUES ('a', 1), ('b', 2); CREATE INDEX ci ON "
      "c(x); CREATE INDEX cj ON "
      "c(abs(y))");
  for (const char* begin : {"SELECT 1", "BEGIN; INSERT INTO c VALUES ('c', 3)"}) {
    host_.exec(begin);
    EXPECT_NE(host_.ask("SELECT * FROM c WHERE x = 'a'").find("no such collation sequence: backwards"),
              std::string::npos);
    EXPECT_EQ(host_.ask("SELECT count(*) FROM t"), "1");
    EXPECT_EQ(host_.ask("SELECT y FROM c WHERE y = 2"), "2");
    EXPECT_NE(host_.ask("SELECT ask('SELECT 1')").find("no such function: ask"), std::string::npos);
  }
  host_.exec("ROLLBACK");
}

TEST_P(HostDatabaseTest, SnapshotsKeepEverythingOfATable) {
  host_.exec(
      "CREATE TABLE k(id INTEGER PRIMARY KEY AUTOINCREMENT, n INT DEFAULT 5, s TEXT COLLATE NOCASE, g AS (n * 2), h AS "
      "(n + 1) STORED, CHECK (n < "
      "100));"
      "INSERT INTO k(id, n, s) VALUES (7, 1, 'Ab'), (9, 2.5, NULL);"
      "CREATE TABLE w(a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO w VALUES ('x', 2), ('y', 1);"
      "CREATE TABLE st(i INTEGER, any ANY) STRICT; INSERT INTO st VALUES (1, 'one'), (2, x'00');"
      "CREATE TABLE rowids(v); INSERT INTO rowids(rowid, v) VALUES (100, 'a'), (50, 'b');"
      "CREATE TABLE named(rowid, v); INSERT INTO named(_rowid_, rowid, v) VALUES (33, 'r', 'v');"
      "CREATE TABLE \"quoted \"\" name\"(\"col \"\" umn\", \"select\"); INSERT INTO \"quoted \"\" name\" VALUES (1, 2);"
      "CREATE TABLE types(x); INSERT INTO types VALUES (1), (1.0), ('1'), (x'31'), (NULL), (9223372036854775807), "
      "(1e300), (''), (x'');"
      "CREATE INDEX part ON k(s) WHERE n > 1; CREATE VIEW kv AS SELECT id, upper(s) AS u FROM k;"
      "CREATE TRIGGER tr AFTER INSERT ON k BEGIN DELETE FROM t; END;"
      "CREATE VIRTUAL TABLE ft USING fts5(body); INSERT INTO ft VALUES ('hello world');"
      "ANALYZE");
  const std::vector<std::string> queries = {
      "SELECT * FROM k",
      "SELECT id FROM k WHERE s = 'aB'",
      "SELECT * FROM kv",
      "SELECT * FROM w",
      "SELECT typeof(i), typeof(any) FROM st",
      "SELECT rowid, v FROM rowids ORDER BY rowid",
      "SELECT _rowid_, rowid FROM named",
      "SELECT \"col \"\" umn\", \"select\" FROM \"quoted \"\" name\"",
      "SELECT x, typeof(x) FROM types",
      "SELECT body FROM ft WHERE ft MATCH 'hello'",
      "SELECT name, seq FROM sqlite_sequence",
      "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'k'",
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY "
      "name",
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list('w')",
  };
  std::vector<std::string> before;
  for (const auto& query : queries) before.push_back(host_.ask(query));
  host_.exec("BEGIN; INSERT INTO t VALUES (2)");  // from here on everything is copied row by row
  for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(host_.ask(queries[i]), before[i]) << queries[i];
}

TEST_P(HostDatabaseTest, SnapshotsOfOtherEncodings) {
  Host host;  // the encoding of a database is fixed with its first table
  host.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE u(s); INSERT INTO u VALUES ('\xc3\xa4\xe2\x82\xac')");
  EXPECT_EQ(host.ask("SELECT s, length(s), hex(CAST(s AS BLOB)) FROM u"), "\xc3\xa4\xe2\x82\xac|2|E400AC20");
  host.exec("BEGIN; INSERT INTO u VALUES ('z')");
  EXPECT_EQ(host.ask("SELECT s, hex(CAST(s AS BLOB)) FROM u"), "\xc3\xa4\xe2\x82\xac|E400AC20;z|7A00");
}

TEST_P(HostDatabaseTest, SnapshotSizeIsLimited) {
  host_.exec("CREATE TABLE big(x); INSERT INTO big VALUES (zeroblob(300000)); BEGIN; INSERT INTO t VALUES (2)");
  ASSERT_TRUE(host_.settings().set("snapshot_max_bytes", ValueView::of_integer(200'000)).ok());
  auto result = run(host_.databases(), std::nullopt, count_t, host_.settings());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded) << result.error().message;
  EXPECT_NE(result.error().message.find("snapshot_max_bytes = 200000"), std::string::npos);
  ASSERT_TRUE(host_.settings().set("snapshot_max_bytes", ValueView::null()).ok());
  EXPECT_EQ(host_.ask(count_t), "2");
}

TEST_P(HostDatabaseTest, ManyThreadsReadOneSource) {
  host_.exec(
      "WITH RECURSIVE c(i) AS (VALUES(2) UNION ALL SELECT i+1 FROM c WHERE i < 1000) INSERT INTO t SELECT i FROM c");
  for (const char* begin : {"SELECT 1", "BEGIN; DELETE FROM t WHERE a > 500; INSERT INTO t SELECT a + 500 FROM t"}) {
    host_.exec(begin);
    StatementScope scope;
    auto source = host_.databases().open(std::nullopt, host_.settings(), &scope);
    ASSERT_TRUE(source.ok()) << source.error().message;
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i)
          right += show(run(**source, "SELECT count(*), sum(a) FROM t")) == "1000|500500" ? 1 : 0;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 200);
  }
}

TEST_P(HostDatabaseTest, InterruptOfTheHostIsNoticed) {
  struct Probe {
    HostDatabase* databases;
    std::atomic<bool> started = false;
    bool noticed = false;
  } probe{&host_.databases()};
  sqlite3_create_function_v2(
      host_.db(), "wait_for_interrupt", 0, SQLITE_UTF8, &probe,
      [](sqlite3_context* context, int, sqlite3_value**) {
        auto* waiting = static_cast<Probe*>(sqlite3_user_data(context));
        waiting->started = true;
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!waiting->noticed && std::chrono::steady_clock::now() < give_up)
          waiting->noticed = waiting->databases->interrupted();
        if (waiting->noticed) sqlite3_result_error_code(context, SQLITE_INTERRUPT);
      },
      nullptr, nullptr, nullptr);
  EXPECT_FALSE(host_.databases().interrupted());
  std::thread other([&] {
    while (!probe.started) std::this_thread::yield();
    sqlite3_interrupt(host_.db());
  });
  EXPECT_EQ(host_.value("SELECT wait_for_interrupt()"), "error: interrupted");
  other.join();
  EXPECT_TRUE(probe.noticed);
  // The next statement is not interrupted, and the connection can be closed.
  EXPECT_FALSE(host_.databases().interrupted());
  EXPECT_EQ(host_.value("SELECT 1"), "1");
}

// Cases that only concern files.

TEST(HostFile, ExclusiveLockingMode) {
  TempDir dir;
  Host host(dir.file("a.db"));
  host.exec("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
  EXPECT_EQ(host.ask(count_t), "1");
  host.exec("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO t VALUES (2)");
  EXPECT_EQ(host.ask(count_t), "2");
  host.exec("INSERT INTO t VALUES (3)");
  EXPECT_EQ(host.ask(count_t), "3");
  host.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (4)");  // the image of a WAL database
  EXPECT_EQ(host.ask(count_t), "4");
  host.exec("PRAGMA locking_mode = NORMAL; INSERT INTO t VALUES (5)");
  EXPECT_EQ(host.ask(count_t), "5");
}

TEST(HostFile, SharedMemoryDatabases) {
  for (const char* name : {"file:shared_memory?mode=memory&cache=shared", "file:/trustsql_test?vfs=memdb",
                           "file:private_memory?mode=memory", ""}) {
    Host host(name);
    host.exec(make_t);
    EXPECT_EQ(host.ask(count_t), "1") << name;
    {
      const TestConnection other(name);
      if (std::string_view(name).find("shared") != std::string_view::npos ||
          std::string_view(name).find("memdb") != std::string_view::npos) {
        other.exec("INSERT INTO t VALUES (2)");
        EXPECT_EQ(host.ask(count_t), "2") << name;
      }
    }
    host.exec("BEGIN; INSERT INTO t VALUES (3), (4), (5)");
    EXPECT_NE(host.ask("SELECT count(*) > 3 FROM t"), "0") << name;
    host.exec("COMMIT");
  }
}

TEST(HostFile, AFileThatDoesNotExistYet) {
  TempDir dir;
  Host host(dir.file("new.db"));
  EXPECT_EQ(host.ask("SELECT count(*) FROM sqlite_schema"), "0");
  EXPECT_EQ(host.ask(count_t), "error: no such table: t");
  host.exec(make_t);
  EXPECT_EQ(host.ask(count_t), "1");
}

TEST(HostFile, AFileThatWasDeletedOrRenamed) {
  TempDir dir;
  Host host(dir.file("a.db"));
  host.exec(make_t);
  EXPECT_EQ(host.ask(count_t), "1");
  std::filesystem::rename(dir.file("a.db"), dir.file("b.db"));
  EXPECT_EQ(host.ask(count_t), "1");
  TestConnection other(dir.file("a.db"));
  other.exec("CREATE TABLE t(a)");
  EXPECT_EQ(host.ask(count_t), "1");  // what the host has open, not what now has its name
}

TEST(HostFile, UriParametersOfTheHostAreKept) {
  TempDir dir;
  {
    const TestConnection writer(dir.file("a b.db"));
    writer.exec(make_t);
  }
  Host host("file://" + dir.file("a%20b.db") + "?mode=ro&immutable=1&custom=a%26b");
  EXPECT_EQ(host.ask(count_t), "1");
}

TEST(HostFile, OtherConnectionsCommitsAreSeen) {
  TempDir dir;
  Host host(dir.file("a.db"));
  host.exec(make_t);
  EXPECT_EQ(host.ask(count_t), "1");
  const TestConnection other(dir.file("a.db"));
  other.exec("INSERT INTO t VALUES (2)");
  EXPECT_EQ(host.ask(count_t), "2");
  other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (3)");
  EXPECT_EQ(host.ask(count_t), "2");
  other.exec("COMMIT");
  EXPECT_EQ(host.ask(count_t), "3");
}

TEST(HostFile, AFileLockedByAnotherConnectionIsAnError) {
  TempDir dir;
  Host host(dir.file("a.db"));
  host.exec(make_t);
  const TestConnection other(dir.file("a.db"));
  other.exec("BEGIN EXCLUSIVE");
  auto result = run(host.databases(), std::nullopt, count_t, host.settings());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::io) << result.error().message;
  EXPECT_NE(result.error().message.find("locked"), std::string::npos);
  other.exec("COMMIT");
  EXPECT_EQ(host.ask(count_t), "1");
}

TEST(HostFile, AnAuthorizerOfTheHostThatForbidsReadingIsAnErrorOrNotAsked) {
  Host host;
  host.exec(make_t);
  sqlite3_set_authorizer(
      host.db(),
      [](void*, int action, const char* table, const char*, const char*, const char*) {
        return action == SQLITE_READ && std::string_view(table) == "t" ? SQLITE_DENY : SQLITE_OK;
      },
      nullptr);
  // A serialized image does not ask it (and the documentation says so); a copy row by row does.
  auto outside = run(host.databases(), std::nullopt, count_t, host.settings());
  EXPECT_TRUE(outside.ok());
  host.exec("BEGIN; CREATE TABLE u(x)");
  auto inside = run(host.databases(), std::nullopt, count_t, host.settings());
  ASSERT_FALSE(inside.ok());
  EXPECT_EQ(inside.error().code, ErrorCode::not_allowed) << inside.error().message;
}

TEST(HostFile, ChangedLimitsHoldForTheNextLease) {
  Host host;
  EXPECT_EQ(host.ask("VALUES (1), (2), (3)"), "1;2;3");
  ASSERT_TRUE(host.settings().set("max_rows", ValueView::of_integer(2)).ok());
  EXPECT_EQ(host.ask("VALUES (1), (2), (3)"),
            "error: the query returns more rows than the setting max_rows = 2 allows");
  ASSERT_TRUE(host.settings().set("max_rows", ValueView::null()).ok());
  EXPECT_EQ(host.ask("VALUES (1), (2), (3)"), "1;2;3");
}

}  // namespace
}  // namespace trustsql
