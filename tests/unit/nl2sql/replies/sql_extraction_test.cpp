#include "nl2sql/replies/sql_extraction.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "sql/parser.hpp"

namespace trustsql::nl2sql {
namespace {

std::string sql_of(std::string_view reply, const ExtractionOptions& options = {}) {
  return extract_sql(reply, options).sql;
}
std::string note_of(std::string_view reply, const ExtractionOptions& options = {}) {
  return extract_sql(reply, options).note;
}

constexpr ExtractionOptions continues{.continues_select = true};
constexpr ExtractionOptions last{.last_block = true};

TEST(SqlExtraction, TakesAPlainQuery) {
  EXPECT_EQ(sql_of("SELECT a FROM t"), "SELECT a FROM t");
  EXPECT_EQ(sql_of("  select a\nfrom t ;\n"), "select a\nfrom t");
  EXPECT_EQ(sql_of("WITH x AS (SELECT 1) SELECT * FROM x"), "WITH x AS (SELECT 1) SELECT * FROM x");
  EXPECT_EQ(sql_of("VALUES (1), (2);"), "VALUES (1), (2)");
  EXPECT_EQ(note_of("SELECT a FROM t;"), "");
  EXPECT_TRUE(extract_sql("SELECT a FROM t").is_query);
  EXPECT_EQ(sql_of("SELECT a\n\nFROM t\n\nWHERE b = ';'"), "SELECT a\n\nFROM t\n\nWHERE b = ';'")
      << "empty lines in a query";
}

TEST(SqlExtraction, TakesFencedBlocksWhateverTheirLabel) {
  for (const auto* open :
       {"```sql\n", "```\n", "```SQLite\n", "```sqlite3\n", "``` sql\n", "```text\n", "```sql ", "```"})
    EXPECT_EQ(sql_of("Sure, here's what you need:\n" + std::string(open) + "SELECT a FROM t;\n```\nIt's simple."),
              "SELECT a FROM t")
        << open;
  EXPECT_EQ(sql_of("```sql\n-- how many are there\n/* select */ SELECT count(*) FROM t\n```"),
            "SELECT count(*) FROM t");
  EXPECT_EQ(sql_of("```sql\nSELECT a FROM t"), "SELECT a FROM t") << "a fence that is not closed";
  EXPECT_EQ(sql_of("```sql\nSELECT a FROM t\nThis counts all of them."), "SELECT a FROM t");
  EXPECT_EQ(sql_of("```python\nprint(1)\n```\nThe query:\n```sql\nSELECT a FROM t\n```"), "SELECT a FROM t");
}

TEST(SqlExtraction, TakesTheFirstOrTheLastOfSeveralBlocks) {
  const std::string_view reply = "1. ```sql\nSELECT a FROM t\n```\n2. ```sql\nSELECT b FROM t\n```";
  EXPECT_EQ(sql_of(reply), "SELECT a FROM t");
  EXPECT_EQ(sql_of(reply, last), "SELECT b FROM t");
  EXPECT_EQ(note_of(reply), "2 blocks with a query; the first is used");
  EXPECT_EQ(note_of(reply, last), "2 blocks with a query; the last is used");
}

TEST(SqlExtraction, TakesTheFirstSelectOfSeveralStatements) {
  EXPECT_EQ(sql_of("SELECT a FROM t; SELECT b FROM t;"), "SELECT a FROM t");
  EXPECT_EQ(note_of("SELECT a FROM t; DROP TABLE t;"), "several statements; the first SELECT is used");
  EXPECT_EQ(sql_of("```sql\nCREATE TEMP TABLE x AS SELECT 1;\nSELECT a FROM x;\n```"), "SELECT a FROM x");
  EXPECT_NE(note_of("```sql\nCREATE TEMP TABLE x AS SELECT 1;\nSELECT a FROM x;\n```").find("CREATE"),
            std::string::npos);
}

TEST(SqlExtraction, TakesNothingFromOtherStatements) {
  for (const auto* statement : {"DROP TABLE t", "INSERT INTO t SELECT a FROM u", "INSERT INTO t\nSELECT a FROM u",
                                "CREATE TABLE x AS SELECT a FROM t", "WITH x AS (SELECT 1) DELETE FROM t",
                                "DELETE FROM t WHERE a IN (SELECT b FROM u)", "EXPLAIN SELECT a FROM t"})
    EXPECT_EQ(sql_of("```sql\n" + std::string(statement) + ";\n```"),
              statement == std::string_view("WITH x AS (SELECT 1) DELETE FROM t") ? statement : "")
        << statement;
  EXPECT_EQ(sql_of("INSERT INTO t SELECT a FROM u"), "");
  EXPECT_EQ(sql_of("DELETE FROM t"), "");
}

TEST(SqlExtraction, FindsTheQueryBehindPrefixes) {
  for (const auto* prefix :
       {"SQL: ", "SQL:\n", "SQLQuery: ", "The final query is: ", "**SQL:** ", "> ", "- ", "Answer:\t", "A: "})
    EXPECT_EQ(sql_of(std::string(prefix) + "SELECT a FROM t"), "SELECT a FROM t") << prefix;
  EXPECT_EQ(sql_of("You can use `SELECT a FROM t` for that."), "SELECT a FROM t");
  EXPECT_EQ(sql_of("You can use `SELECT `a` FROM `t`` for that."), "SELECT `a` FROM `t`");
  EXPECT_EQ(sql_of("I'd answer this with SELECT a FROM t."), "SELECT a FROM t");
}

TEST(SqlExtraction, LeavesTrailingProseOut) {
  for (const auto* prose :
       {"\nThis query returns all of them.", "\n\nThis query returns all of them; it's simple.",
        "\n\n**Explanation**\n- a is b", "\nNote: it counts (everything).", "\nIn this query we count.",
        ";\n\nIt's what you asked for.", " is the query you want.", "\nExplanation: we join nothing."})
    EXPECT_EQ(sql_of("SELECT count(*) FROM t" + std::string(prose)), "SELECT count(*) FROM t") << prose;
  EXPECT_EQ(sql_of("SELECT a FROM t WHERE b = 1\nThis is it."), "SELECT a FROM t WHERE b = 1");
  EXPECT_EQ(sql_of("SELECT t.a FROM t which gives the answer."), "SELECT t.a FROM t") << "'which' is no alias";
  EXPECT_EQ(sql_of("Select a\nFrom t\nWhere b = 1\nThis is it."), "Select a\nFrom t\nWhere b = 1");
  EXPECT_EQ(note_of("SELECT a FROM t\n\nThis is it."), "text after the query is left out");
}

TEST(SqlExtraction, KeepsQueriesWithMistakes) {
  const auto extracted = extract_sql("SELECT a FROM t WHRE b = 1");
  EXPECT_EQ(extracted.sql, "SELECT a FROM t WHRE b = 1") << "not a shorter query that means something else";
  EXPECT_FALSE(extracted.is_query);
  EXPECT_EQ(extracted.note, "the query has a syntax error");
  EXPECT_EQ(sql_of("```sql\nSELECT a FROM t WHERE (b = 1\n```"), "SELECT a FROM t WHERE (b = 1");
  EXPECT_EQ(sql_of("SELECT a\nFROM t\nWHERE b = 1 AND AND c = 2;"), "SELECT a\nFROM t\nWHERE b = 1 AND AND c = 2");
  EXPECT_EQ(sql_of("SELECT a FROM t WHERE b = 'it's'\n\nThis is it."), "SELECT a FROM t WHERE b = 'it's'");
  EXPECT_EQ(sql_of("(SELECT a FROM t) UNION (SELECT b FROM t)"), "(SELECT a FROM t) UNION (SELECT b FROM t)");
}

TEST(SqlExtraction, TakesNoParagraphOfABrokenQueryForTheQuery) {
  for (const auto* reply : {"SELECT a FROM t\n\nWHERE b = (", "SELECT a FROM t\n\nok(1)"}) {
    const auto extracted = extract_sql(reply);
    EXPECT_FALSE(extracted.is_query) << reply;
    EXPECT_EQ(extracted.sql, reply);
    EXPECT_EQ(extracted.note, "the query has a syntax error");
  }
}

TEST(SqlExtraction, ReadsJson) {
  EXPECT_EQ(sql_of(R"({"thought": "select the name", "sql": "SELECT a FROM t WHERE b = \"x\""})"),
            "SELECT a FROM t WHERE b = \"x\"");
  EXPECT_EQ(sql_of("```json\n{\"SQL\": \"SELECT a\\nFROM t;\"}\n```"), "SELECT a\nFROM t");
  EXPECT_EQ(sql_of(R"({"sql": null})"), "");
  EXPECT_EQ(sql_of(R"({"reason": "I would select a name"})"), "");
  EXPECT_EQ(sql_of(R"({"sql": "SELECT a FROM t WHERE b = \"x\" AND c)"), "SELECT a FROM t WHERE b = \"x\" AND c");
}

TEST(SqlExtraction, ContinuesAPromptThatEndedInSelect) {
  EXPECT_EQ(sql_of("count(*) FROM t WHERE a = 1;", continues), "SELECT count(*) FROM t WHERE a = 1");
  EXPECT_EQ(sql_of(" a, b\nFROM t\n\nThis is it.", continues), "SELECT a, b\nFROM t");
  EXPECT_EQ(sql_of("a FROM t WHERE b IN (SELECT c FROM u)", continues), "SELECT a FROM t WHERE b IN (SELECT c FROM u)");
  EXPECT_EQ(sql_of("SELECT a FROM t", continues), "SELECT a FROM t") << "the word is said again";
  EXPECT_EQ(sql_of("```sql\nSELECT a FROM t\n```", continues), "SELECT a FROM t");
  EXPECT_EQ(sql_of("```sql\na FROM t\n```", continues), "SELECT a FROM t");
  EXPECT_EQ(sql_of("The query is:\nSELECT a FROM t", continues), "SELECT a FROM t");
  EXPECT_EQ(sql_of("not_answerable", continues), "");
  EXPECT_EQ(sql_of("I cannot answer this question.", continues), "");
  EXPECT_EQ(sql_of("the names from the table", continues), "");
}

TEST(SqlExtraction, TakesNothingFromAbstentions) {
  for (const auto* reply :
       {"", "  \n", "not_answerable", "null", "None", "N/A", "```\nnot_answerable\n```",
        "I'm sorry, I can't answer that with SQL.", "The question cannot be answered: no table has the prices.",
        "SELECT not_answerable", "SELECT 'not answerable';",
        "You could select the name column from the list of singers.", "Select the columns that you want.",
        "select the name from the singers", "With this schema nothing can be said.", "Values are missing.",
        "```sql\n-- not answerable\n```"})
    EXPECT_EQ(sql_of(reply), "") << reply;
  EXPECT_EQ(note_of("not_answerable"), "no query in the reply");
  EXPECT_EQ(note_of("SELECT not_answerable"), "an abstention in the form of a query");
}

TEST(SqlExtraction, StopsAtWhatIsNoText) {
  EXPECT_EQ(sql_of(std::string_view("SELECT a FROM t\0; DROP TABLE t", 31)), "SELECT a FROM t");
  EXPECT_EQ(sql_of("SELECT a\xff FROM t"), "SELECT a\ufffd FROM t");  // no other column
}

TEST(SqlExtraction, WhatItCallsAQueryIsOne) {
  for (const auto* reply :
       {"SELECT a FROM t; x", "SELECT a FROM t\n\nwhat", "`SELECT 1`", "SELECT 1 SELECT 2", "select select select"}) {
    const auto extracted = extract_sql(reply);
    EXPECT_EQ(extracted.is_query, !extracted.sql.empty() && parse_query(extracted.sql).ok()) << reply;
  }
}

TEST(SqlExtraction, LongRepliesTakeNoLong) {
  std::string selects;
  while (selects.size() < max_reply_bytes) selects += "select with values ( SELECT ";
  extract_sql(selects);
  std::string fences;
  while (fences.size() < max_reply_bytes) fences += "```\nSELECT (\n```\n";
  extract_sql(fences);
  extract_sql(std::string(max_reply_bytes, '('));
  extract_sql("{" + std::string(max_reply_bytes, '['));
  extract_sql("SELECT " + std::string(max_reply_bytes, '\n'));
  std::string lines = "SELECT a";
  while (lines.size() < max_reply_bytes) lines += ",\n" + std::string(5000, ' ') + "select The_line";
  extract_sql(lines + ")");
  const auto cut = extract_sql("SELECT a FROM t;" + std::string(2 * max_reply_bytes, ' '));
  EXPECT_EQ(cut.sql, "SELECT a FROM t");
  EXPECT_NE(cut.note.find("only the first"), std::string::npos);
}

}  // namespace
}  // namespace trustsql::nl2sql
