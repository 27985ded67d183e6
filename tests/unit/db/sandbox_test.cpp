#include "db/sandbox.hpp"

#include "db/host_database.hpp"
#include "support.hpp"

namespace trustsql {
namespace {

using test::run;
using test::show;
using test::TempDir;
using test::TestConnection;

TEST(Sandbox, ReturnsTheRowsOfAQuery) {
  TempDir dir;
  TestConnection writer(dir.file("a.db"));
  writer.exec("CREATE TABLE t(i INTEGER, r REAL, s TEXT, b BLOB); INSERT INTO t VALUES (1, 2.5, 'x', x'00ff'), (NULL, NULL, '', x'')");
  TestConnection host;
  HostDatabase databases(host);
  auto result = run(databases, dir.file("a.db"), "SELECT i, r AS other, s, b FROM t");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(show(*result), "1|2.5|x|X'00FF';NULL|NULL||X''");
  EXPECT_EQ(result->column_names(), (std::vector<std::string>{"i", "other", "s", "b"}));
  EXPECT_EQ(result->type_at(1, 2), ValueType::text);
  EXPECT_EQ(result->type_at(1, 3), ValueType::blob);
}

TEST(Sandbox, HostInMemoryFileAndTransaction) {
  TempDir dir;
  for (const std::string& name : {std::string(":memory:"), dir.file("a.db")}) {
    TestConnection host(name);
    HostDatabase databases(host);
    host.exec(
        "CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE TEMP TABLE u(b); INSERT INTO temp.u VALUES (7); ATTACH ':memory:' AS aux; CREATE TABLE "
        "aux.v(c); INSERT INTO aux.v VALUES (9)");
    EXPECT_EQ(show(run(databases, std::nullopt, "SELECT a, b, c FROM main.t, temp.u, aux.v")), "1|7|9");
    host.exec("BEGIN; INSERT INTO t VALUES (2); CREATE TABLE w(x UNIQUE, y AS (x+1)); INSERT INTO w VALUES (4); CREATE VIEW vw AS SELECT y FROM w");
    EXPECT_EQ(show(run(databases, std::nullopt, "SELECT sum(a), b, c, y FROM main.t, temp.u, aux.v, vw")), "3|7|9|5");
    host.exec("ROLLBACK");
    EXPECT_EQ(show(run(databases, std::nullopt, "SELECT sum(a), b, c FROM main.t, temp.u, aux.v")), "1|7|9");
  }
}

}  // namespace
}  // namespace trustsql
