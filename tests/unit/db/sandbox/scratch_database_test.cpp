#include "db/sandbox/scratch_database.hpp"

#include <algorithm>

#include "db/sources/ddl_source.hpp"
#include "unit/db/support.hpp"

namespace trustsql::test {
namespace {

const Settings& settings() {
  static const Settings defaults = *Settings::create([](std::string_view) { return std::nullopt; });
  return defaults;
}

class ScratchDatabaseTest : public ::testing::Test {
 protected:
  ScratchDatabaseTest() {
    source_ = *open_ddl(
        "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL, c INT DEFAULT 7, d AS (a * 2));"
        "CREATE TABLE u(x INT CHECK(x > 0), y); CREATE UNIQUE INDEX ux ON u(x); CREATE INDEX uy ON u(y);"
        "CREATE VIEW v AS SELECT b FROM t; CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO u VALUES (9, 9); END;"
        "INSERT INTO t VALUES (1, 'there', 2);",
        settings());
    definition_ = *SchemaDefinition::read(*source_);
    scratch_ = *ScratchDatabase::create(definition_, SandboxLimits{});
  }
  const Table& table(std::string_view name) const { return *definition_.catalog->find(name); }
  std::string run(std::string_view sql) {
    auto query = scratch_->prepare(sql);
    if (!query.ok()) return query.error().message;
    auto rows = scratch_->run(*query);
    if (!rows.ok()) return rows.error().message;
    std::string text;
    for (std::size_t r = 0; r < rows->row_count(); ++r) {
      for (std::size_t c = 0; c < rows->column_count(); ++c)
        text += (c > 0 ? "," : r > 0 ? " " : "") + format_value(rows->at(r, c));
    }
    return text;
  }

  std::shared_ptr<SandboxSource> source_;
  SchemaDefinition definition_;
  std::unique_ptr<ScratchDatabase> scratch_;
};

using Row = ScratchDatabase::Row;

TEST_F(ScratchDatabaseTest, HasTheSchemaWithoutRows) {
  EXPECT_EQ(run("SELECT count(*) FROM t"), "0");
  EXPECT_EQ(run("SELECT name FROM sqlite_schema ORDER BY name"), "t u ux v");
  EXPECT_TRUE(scratch_->missing().empty());
}

// The limit on time is for each table, and not for the sum of thousands.
TEST_F(ScratchDatabaseTest, ManyTables) {
  std::string ddl;
  for (int i = 0; i < 4000; ++i) ddl += "CREATE TABLE t" + std::to_string(i) + "(a INTEGER PRIMARY KEY, b);";
  const auto source = *open_ddl(ddl, settings());
  const auto definition = *SchemaDefinition::read(*source);
  SandboxLimits limits;
  limits.timeout = std::chrono::milliseconds(200);
  const auto scratch = ScratchDatabase::create(definition, limits);
  ASSERT_TRUE(scratch.ok()) << scratch.error().message;
  EXPECT_TRUE((*scratch)->missing().empty());
}

TEST_F(ScratchDatabaseTest, FillsReadsAndEmpties) {
  const std::vector<Row> rows = {{std::int64_t{3}, std::string("x")}, {std::int64_t{4}, std::string("y")}};
  ASSERT_TRUE(scratch_->fill(table("t"), {0, 1}, rows).ok());
  EXPECT_EQ(run("SELECT * FROM t"), "3,x,7,6 4,y,7,8");
  EXPECT_EQ(run("SELECT count(*) FROM u"), "0") << "triggers do not fire";
  EXPECT_EQ(*scratch_->rows(table("t"), {1, 0}),
            (std::vector<Row>{{std::string("x"), std::int64_t{3}}, {std::string("y"), std::int64_t{4}}}));
  ASSERT_TRUE(scratch_->fill(table("t"), {1}, std::vector<Row>{{std::string("z")}}).ok());
  EXPECT_EQ(run("SELECT a, b FROM t"), "1,z") << "the rows before are gone";
  ASSERT_TRUE(scratch_->fill(table("u"), {}, std::vector<Row>(2)).ok());
  EXPECT_EQ(run("SELECT count(*) FROM u"), "2");
  ASSERT_TRUE(scratch_->clear().ok());
  EXPECT_EQ(run("SELECT (SELECT count(*) FROM t) + (SELECT count(*) FROM u)"), "0");
}

TEST_F(ScratchDatabaseTest, LeavesOutWhatConstraintsRefuse) {
  const std::vector<Row> rows = {{std::int64_t{1}, Value()},
                                 {std::int64_t{1}, std::int64_t{5}},
                                 {std::int64_t{-1}, std::int64_t{5}},
                                 {Value(), std::int64_t{6}},
                                 {Value(), std::int64_t{7}}};
  ASSERT_TRUE(scratch_->fill(table("u"), {0, 1}, rows).ok());
  EXPECT_EQ(run("SELECT x, y FROM u"), "1,NULL NULL,6 NULL,7");
  ASSERT_TRUE(scratch_
                  ->fill(table("t"), {0, 1},
                         std::vector<Row>{{std::string("no number"), std::string("x")}, {std::int64_t{2}, Value()}})
                  .ok());
  EXPECT_EQ(run("SELECT count(*) FROM t"), "0");
}

TEST_F(ScratchDatabaseTest, QueriesMayOnlyRead) {
  for (const char* sql :
       {"DELETE FROM t", "INSERT INTO t VALUES (1, 2)", "PRAGMA writable_schema = 1", "ATTACH 'x' AS y",
        "SELECT 1; SELECT 2", "SELECT load_extension('x')", "CREATE TABLE w(x)", "ROLLBACK"})
    EXPECT_EQ(scratch_->prepare(sql).error().code, ErrorCode::not_allowed) << sql;
}

TEST_F(ScratchDatabaseTest, TellsWhatAQueryReads) {
  QueryUse use;
  ASSERT_TRUE(scratch_->prepare("SELECT upper(b) FROM v, u", &use).ok());
  const auto reads = [&](std::string_view table, std::string_view column) {
    return std::ranges::any_of(use.columns, [&](const auto& read) { return read[1] == table && read[2] == column; });
  };
  EXPECT_TRUE(reads("t", "b"));
  EXPECT_TRUE(reads("u", ""));
  EXPECT_FALSE(reads("t", "c"));
  EXPECT_EQ(use.functions, std::vector<std::string>{"upper"});
}

TEST_F(ScratchDatabaseTest, LimitsEndAQueryAndNothingElse) {
  ASSERT_TRUE(scratch_->fill(table("t"), {0, 1}, std::vector<Row>{{std::int64_t{3}, std::string("x")}}).ok());
  SandboxLimits limits;
  limits.timeout = std::chrono::milliseconds(30);
  scratch_->set_limits(limits);
  const auto endless =
      scratch_->prepare("WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT max(x) FROM r");
  EXPECT_EQ(scratch_->run(*endless).error().code, ErrorCode::limit_exceeded);
  EXPECT_TRUE(scratch_->reached_limit());
  EXPECT_EQ(run("SELECT a FROM t"), "3");
  scratch_->set_deadline(std::chrono::steady_clock::now());
  EXPECT_EQ(scratch_->run(*endless).error().code, ErrorCode::limit_exceeded);
}

TEST_F(ScratchDatabaseTest, FillingEndsAtTheDeadlineAndSaysSo) {
  const std::vector<Row> rows(50'000, Row{std::string("x")});
  scratch_->set_deadline(std::chrono::steady_clock::now());
  const auto filled = scratch_->fill(table("t"), {1}, rows);
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().code, ErrorCode::limit_exceeded) << filled.error().message;
}

TEST_F(ScratchDatabaseTest, ReadsBackwards) {
  ASSERT_TRUE(scratch_
                  ->fill(table("t"), {0, 1},
                         std::vector<Row>{{std::int64_t{3}, std::string("x")}, {std::int64_t{4}, std::string("y")}})
                  .ok());
  const auto query = scratch_->prepare("SELECT a FROM t LIMIT 1");
  EXPECT_EQ(scratch_->run(*query)->at(0, 0).integer, 3);
  ASSERT_TRUE(scratch_->set_reversed(true).ok());
  EXPECT_EQ(scratch_->run(*query)->at(0, 0).integer, 4);
  ASSERT_TRUE(scratch_->set_reversed(false).ok());
  EXPECT_EQ(scratch_->run(*query)->at(0, 0).integer, 3);
}

TEST_F(ScratchDatabaseTest, WithoutKeysRowsComeInAnyOrder) {
  const auto unkeyed = *ScratchDatabase::create(definition_, SandboxLimits{}, ScratchDatabase::Keys::dropped);
  const std::vector<Row> rows = {
      {std::int64_t{4}, std::string("y")}, {std::int64_t{3}, Value()}, {std::int64_t{3}, std::string("10")}};
  ASSERT_TRUE(unkeyed->fill(table("t"), {0, 1}, rows).ok());
  EXPECT_EQ(*unkeyed->rows(table("t"), {0, 1}), rows);
  const auto query = unkeyed->prepare("SELECT count(*) FROM v WHERE b < 9");  // as texts
  EXPECT_EQ(unkeyed->run(*query)->at(0, 0).integer, 1);
}

TEST_F(ScratchDatabaseTest, ReplaysScripts) {
  const std::string schemas[] = {"main", "more"};
  const auto fresh = *ScratchDatabase::create_empty(schemas, SandboxLimits{});
  ASSERT_TRUE(
      fresh
          ->replay(
              "ATTACH ':memory:' AS more; CREATE TABLE more.t(x); INSERT INTO more.t VALUES (';'), (2);\n-- done\n")
          .ok());
  const auto query = fresh->prepare("SELECT count(*) FROM t");
  EXPECT_EQ(fresh->run(*query)->at(0, 0).integer, 2);
  EXPECT_FALSE(fresh->replay("CREATE TABLE t(").ok());
  EXPECT_FALSE(fresh->replay("PRAGMA page_size = 512").ok());
  EXPECT_FALSE(fresh->replay("CREATE TABLE w AS SELECT load_extension('x')").ok());
}

TEST_F(ScratchDatabaseTest, SaysWhatCouldNotBeMade) {
  TestConnection host;
  sqlite3_create_collation(host, "own", SQLITE_UTF8, nullptr,
                           [](void*, int, const void*, int, const void*) { return 0; });
  host.exec("CREATE TABLE good(x); CREATE TABLE bad(x TEXT COLLATE own UNIQUE)");
  HostDatabase database(host);
  const auto source = *database.open_host(settings());
  const auto scratch = *ScratchDatabase::create(*SchemaDefinition::read(*source), SandboxLimits{});
  EXPECT_TRUE(scratch->prepare("SELECT x FROM good").ok());
  EXPECT_EQ(scratch->missing().count("bad"), 1U);
}

}  // namespace
}  // namespace trustsql::test
