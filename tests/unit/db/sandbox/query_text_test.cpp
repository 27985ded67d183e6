// What the sandbox reads in a query's text: its first word, its length, how deep it is nested.
#include "db/sandbox/query_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "db/sandbox/nesting.hpp"

namespace trustsql {
namespace {

TEST(QueryText, FirstWord) {
  for (const char* sql : {"SELECT 1", "select 1", "\n\t SELECT", "VALUES(1)", "WITH x AS (SELECT 1) SELECT 1",
                          "/* c */ -- d\n SELECT 1", ";;SELECT 1", "SELECT*FROM t", "select\"a\""})
    EXPECT_TRUE(check_query_text(sql).ok()) << sql;
  for (const char* sql : {"", " ", ";", "--", "--\n", "/*", "/**/", "/", "-", "SELECTED", "selec t",
                          "\xe2\x80\x8bSELECT 1", "EXPLAIN SELECT 1", "\xffSELECT 1", "_SELECT", "(SELECT 1)"})
    EXPECT_FALSE(check_query_text(sql).ok()) << sql;
}

TEST(QueryText, AStatementEndsAtItsSemicolon) {
  EXPECT_EQ(simple_statement_length("SELECT 1; SELECT 2"), 9U);
  EXPECT_EQ(simple_statement_length("SELECT ';' /* ; */ -- ;\n;"), 25U);
  EXPECT_EQ(simple_statement_length("SELECT 1"), 8U);
  EXPECT_EQ(simple_statement_length("SELECT 'open;"), 13U);
}

TEST(Nesting, ManySelectsInStringsAndCommentsDoNotCount) {
  std::string words;
  for (int i = 0; i < 1000; ++i) words += "select ";
  EXPECT_TRUE(check_query_nesting("SELECT '" + words + "' /* " + words + " */").ok());
  EXPECT_FALSE(check_query_nesting("SELECT " + words).ok());
}

}  // namespace
}  // namespace trustsql
