#include "db/catalog/sql_scan.hpp"

#include <gtest/gtest.h>

#include "db/sandbox/nesting.hpp"
#include "db/sandbox/query_text.hpp"

namespace trustsql {
namespace {

std::string tokens(std::string_view sql) {
  std::string all;
  SqlScanner scanner(sql);
  for (SqlToken token = scanner.next(); !token.is_end(); token = scanner.next()) {
    EXPECT_EQ(sql.substr(token.offset, token.text.size()), token.text);
    if (!all.empty()) all += "~";
    all += std::to_string(static_cast<int>(token.kind)) + std::string(token.text);
  }
  return all;
}

TEST(SqlScanner, Tokens) {
  EXPECT_EQ(tokens("SELECT a1, \"b\"\"c\" FROM[x y]`z`"), "1SELECT~1a1~7,~2\"b\"\"c\"~1FROM~2[x y]~2`z`");
  EXPECT_EQ(tokens("'it''s' x'0F' 12 1.5e-3 .5 0x1F ?1 :a @b $c"),
            "3'it''s'~4x'0F'~512~51.5e-3~5.5~50x1F~6?1~6:a~6@b~6$c");
  EXPECT_EQ(tokens("a--b\nc/*d*/e /* open"), "1a~1c~1e");
  EXPECT_EQ(tokens("a||b<=c->>d->e<>f==g!=h<<i;"), "1a~7||~1b~7<=~1c~7->>~1d~7->~1e~7<>~1f~7==~1g~7!=~1h~7<<~1i~7;");
  EXPECT_EQ(tokens("\xc3\xa4 _x x$y"), "1\xc3\xa4~1_x~1x$y");
  EXPECT_EQ(tokens("'open"), "3'open");
  EXPECT_EQ(tokens("\"open"), "2\"open");
  EXPECT_EQ(tokens("[open"), "2[open");
  EXPECT_EQ(tokens(""), "");
  EXPECT_EQ(tokens(std::string_view("a\0b", 3)), std::string("1a~7\0~1b", 8));
}

TEST(SqlScanner, Names) {
  const auto name = [](std::string_view sql) { return SqlScanner(sql).next().name(); };
  EXPECT_EQ(name("abc"), "abc");
  EXPECT_EQ(name("\"a\"\"b\""), "a\"b");
  EXPECT_EQ(name("`a``b`"), "a`b");
  EXPECT_EQ(name("[a b]"), "a b");
  EXPECT_EQ(name("'a''b'"), "a'b");
  EXPECT_EQ(name("\"open"), "open");
  EXPECT_EQ(name("\"\""), "");
}

TEST(QueryText, FirstWord) {
  for (const char* sql : {"SELECT 1", "select 1", "\n\t SELECT", "VALUES(1)", "WITH x AS (SELECT 1) SELECT 1",
                          "/* c */ -- d\n SELECT 1", ";;SELECT 1", "SELECT*FROM t", "select\"a\""})
    EXPECT_TRUE(check_query_text(sql).ok()) << sql;
  for (const char* sql : {"", " ", ";", "--", "--\n", "/*", "/**/", "/", "-", "SELECTED", "selec t",
                          "\xe2\x80\x8bSELECT 1", "EXPLAIN SELECT 1", "\xffSELECT 1", "_SELECT", "(SELECT 1)"})
    EXPECT_FALSE(check_query_text(sql).ok()) << sql;
}

TEST(Nesting, ManySelectsInStringsAndCommentsDoNotCount) {
  std::string words;
  for (int i = 0; i < 1000; ++i) words += "select ";
  EXPECT_TRUE(check_query_nesting("SELECT '" + words + "' /* " + words + " */").ok());
  EXPECT_FALSE(check_query_nesting("SELECT " + words).ok());
}

}  // namespace
}  // namespace trustsql
