#include "db/sources/row_source.hpp"

#include <gtest/gtest.h>

#include "unit/ext/support.hpp"

namespace trustsql {
namespace {

using ext::testing_support::Database;

class RowSourceTest : public ::testing::Test {
 protected:
  Database db{
      "CREATE TABLE p(Id INTEGER, sql TEXT); INSERT INTO p VALUES (1, 'a'), (2, NULL); CREATE TEMP TABLE \"t.u\"(x); "
      "CREATE VIEW v AS SELECT id FROM "
      "p"};

  std::string error(std::string_view source) {
    const auto opened = RowSource::open(db.handle(), source);
    return opened.ok() ? "" : opened.error().message;
  }
};

TEST_F(RowSourceTest, ReadsTablesViewsAndQueries) {
  for (const auto* source : {"p", "main.p", "SELECT * FROM p;", "/* all */ select id, sql from p -- done\n",
                             "WITH q AS (SELECT * FROM p) SELECT * FROM q"}) {
    SCOPED_TRACE(source);
    auto opened = RowSource::open(db.handle(), source);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const int id = opened->require("ID").value();
    const int sql = opened->require("sql").value();
    ASSERT_TRUE(opened->next().value());
    EXPECT_EQ(opened->at(id).integer, 1);
    EXPECT_EQ(opened->at(sql).bytes, "a");
    ASSERT_TRUE(opened->next().value());
    EXPECT_TRUE(opened->at(sql).is_null());
    EXPECT_FALSE(opened->next().value());
  }
  EXPECT_EQ(error("v"), "");
  EXPECT_EQ(error("t.u"), "");
}

TEST_F(RowSourceTest, AMissingColumnNamesThoseThereAre) {
  auto opened = RowSource::open(db.handle(), "p");
  EXPECT_EQ(opened->require("gold").error().message, "the source has no column 'gold'; it has: Id, sql");
}

TEST_F(RowSourceTest, RefusesWhatIsNotASource) {
  EXPECT_NE(error("nope").find("no such table: nope"), std::string::npos);
  EXPECT_NE(error("").find("the source is empty"), std::string::npos);
  EXPECT_NE(error("SELECT 1; SELECT 2").find("more than one statement"), std::string::npos);
  EXPECT_NE(error("SELECT 1; nonsense").find("more than one statement"), std::string::npos);
  EXPECT_NE(error("SELECT nope FROM p").find("no such column"), std::string::npos);
  EXPECT_NE(error("WITH q AS (SELECT 1) DELETE FROM p").find("would change a database"), std::string::npos);
  EXPECT_NE(error("DELETE FROM p").find("no such table"), std::string::npos);
  EXPECT_EQ(db.value("SELECT count(*) FROM p"), "2");
}

}  // namespace
}  // namespace trustsql
