// The parser against SQLite's own: every keyword in every kind of place, and random sequences of tokens. The grammar is
// that of the library that the tests run with.
#include <gtest/gtest.h>

#include <random>

#include "base/text.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/sql/grouped.hpp"
#include "unit/sql/sqlite_syntax.hpp"

namespace trustsql {
namespace {

class ParserDifferential : public testing::Test {
 protected:
  ParserDifferential() {
    sqlite3_open(":memory:", &db_);
    sqlite3_exec(db_, "CREATE TABLE t(a, b, c); CREATE TABLE u(a, d)", nullptr, nullptr, nullptr);
  }
  ~ParserDifferential() override { sqlite3_close(db_); }

  // Whether the parser accepts `sql` exactly if SQLite finds nothing wrong with its form. Limits are not compared.
  testing::AssertionResult agrees(const std::string& sql) {
    const auto sqlite = ask_sqlite(db_, sql);
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    const bool limited =
        sqlite.answer == SqliteAnswer::limit || (!parsed.ok() && parsed.error().code == ErrorCode::limit_exceeded);
    if (limited || sqlite.has_tail) return testing::AssertionSuccess();
    if (parsed.ok() == (sqlite.answer != SqliteAnswer::syntax_error)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << sql << "\n SQLite: " << (sqlite.message.empty() ? "accepts" : sqlite.message)
                                       << "\n parser: " << (parsed.ok() ? "accepts" : parsed.error().message);
  }

  sqlite3* db_ = nullptr;
};

// What may occur where a word can.
std::vector<std::string> words() {
  std::vector<std::string> all = {"x", "\"x\"", "`x`", "[x]", "'x'", "1", "1.5", "x'00'", "?",  "*",
                                  "(", ")",     ",",   ".",   "=",   "-", "->",  "1_0",   "#1", "#a"};
  for (std::size_t k = 1; k <= keyword_count; ++k) all.emplace_back(keyword_text(static_cast<Keyword>(k)));
  return all;
}

TEST_F(ParserDifferential, EveryWordInEveryPlace) {
  const char* const places[] = {
      "SELECT @",
      "SELECT @ FROM t",
      "SELECT a @ FROM t",
      "SELECT a AS @ FROM t",
      "SELECT a @",
      "SELECT @, a FROM t",
      "SELECT @(a) FROM t",
      "SELECT @() FROM t",
      "SELECT @(*) FROM t",
      "SELECT @.a FROM t",
      "SELECT t.@ FROM t",
      "SELECT main.@.a FROM t",
      "SELECT @.t.a FROM t",
      "SELECT @.* FROM t",
      "SELECT t.* @ FROM t",
      "SELECT * @ FROM t",
      "SELECT (@)",
      "SELECT (@, 1)",
      "SELECT (1, @)",
      "SELECT (1 @)",
      "SELECT -@",
      "SELECT - @ a FROM t",
      "SELECT NOT @",
      "SELECT a + @ FROM t",
      "SELECT a @ b FROM t",
      "SELECT a @ b, c FROM t",
      "SELECT a NOT @ b FROM t",
      "SELECT a IS @ FROM t",
      "SELECT a IS NOT @ FROM t",
      "SELECT a IS @ b FROM t",
      "SELECT a IS NOT @ b FROM t",
      "SELECT a BETWEEN @ AND 3 FROM t",
      "SELECT a BETWEEN 1 @ 3 FROM t",
      "SELECT a BETWEEN 1 AND @ FROM t",
      "SELECT a LIKE @ FROM t",
      "SELECT a LIKE b @ c FROM t",
      "SELECT a LIKE b ESCAPE @ FROM t",
      "SELECT a IN @ FROM t",
      "SELECT a IN (@) FROM t",
      "SELECT a IN (@ 1) FROM t",
      "SELECT a IN main.@ FROM t",
      "SELECT a IN @(1) FROM t",
      "SELECT a COLLATE @ FROM t",
      "SELECT CASE @ WHEN 1 THEN 2 END",
      "SELECT CASE WHEN @ THEN 2 END",
      "SELECT CASE WHEN 1 THEN @ END",
      "SELECT CASE WHEN 1 THEN 2 ELSE @ END",
      "SELECT CASE WHEN 1 THEN 2 @",
      "SELECT CASE WHEN 1 THEN 2 @ END",
      "SELECT CAST(@ AS TEXT)",
      "SELECT CAST(a AS @) FROM t",
      "SELECT CAST(a AS @ @) FROM t",
      "SELECT CAST(a AS x(@)) FROM t",
      "SELECT CAST(a @ x)",
      "SELECT max(@) FROM t",
      "SELECT max(@ a) FROM t",
      "SELECT max(a, @) FROM t",
      "SELECT max(a @) FROM t",
      "SELECT max(a) @ FROM t",
      "SELECT max(a) @ (a) FROM t",
      "SELECT max(a) @ x FROM t",
      "SELECT max(a) FILTER (@ a) FROM t",
      "SELECT max(a) FILTER (WHERE @) FROM t",
      "SELECT max(a) OVER @ FROM t WINDOW x AS ()",
      "SELECT max(a) OVER (@) FROM t",
      "SELECT max(a) OVER (@ PARTITION BY a) FROM t",
      "SELECT max(a) OVER (@ ORDER BY a) FROM t",
      "SELECT max(a) OVER (@ a) FROM t",
      "SELECT max(a) OVER (@ BY a) FROM t",
      "SELECT max(a) OVER (ORDER BY a @) FROM t",
      "SELECT max(a) OVER (ORDER BY a @ 1 PRECEDING) FROM t",
      "SELECT max(a) OVER (ROWS @) FROM t",
      "SELECT max(a) OVER (ROWS @ PRECEDING) FROM t",
      "SELECT max(a) OVER (ROWS 1 @) FROM t",
      "SELECT max(a) OVER (ROWS @ ROW) FROM t",
      "SELECT max(a) OVER (ROWS BETWEEN @ PRECEDING AND 1 FOLLOWING) FROM t",
      "SELECT max(a) OVER (ROWS BETWEEN 1 PRECEDING AND @ FOLLOWING) FROM t",
      "SELECT max(a) OVER (ROWS BETWEEN 1 PRECEDING @ 1 FOLLOWING) FROM t",
      "SELECT max(a) OVER (ROWS CURRENT ROW @) FROM t",
      "SELECT max(a) OVER (ROWS CURRENT ROW EXCLUDE @) FROM t",
      "SELECT max(a) OVER (ROWS CURRENT ROW EXCLUDE @ OTHERS) FROM t",
      "SELECT max(a) OVER (ROWS CURRENT ROW EXCLUDE CURRENT @) FROM t",
      "SELECT DISTINCT @ FROM t",
      "SELECT ALL @ FROM t",
      "SELECT @ a FROM t",
      "SELECT a FROM @",
      "SELECT a FROM @, u",
      "SELECT a FROM @ JOIN u",
      "SELECT a FROM t, @",
      "SELECT a FROM t @",
      "SELECT a FROM t @ u",
      "SELECT a FROM t @ JOIN u",
      "SELECT a FROM t LEFT @ JOIN u",
      "SELECT a FROM t @ OUTER JOIN u",
      "SELECT a FROM t NATURAL @ OUTER JOIN u",
      "SELECT a FROM t NATURAL LEFT @ JOIN u",
      "SELECT a FROM t CROSS @ JOIN u",
      "SELECT a FROM t @ INNER CROSS JOIN u",
      "SELECT a FROM t INNER x @ JOIN u",
      "SELECT a FROM t x @ u",
      "SELECT a FROM t AS @",
      "SELECT a FROM t AS @ JOIN u",
      "SELECT a FROM main.@",
      "SELECT a FROM @.t",
      "SELECT a FROM t INDEXED BY @",
      "SELECT a FROM t @ INDEXED",
      "SELECT a FROM t x @ INDEXED",
      "SELECT a FROM t INDEXED @ x",
      "SELECT a FROM @(1)",
      "SELECT a FROM t(@)",
      "SELECT a FROM t(1) @",
      "SELECT a FROM (@)",
      "SELECT a FROM (@ t)",
      "SELECT a FROM (t @ u)",
      "SELECT a FROM (SELECT 1 @)",
      "SELECT a FROM (SELECT 1) @",
      "SELECT a FROM (SELECT 1) AS @",
      "SELECT a FROM (t) @",
      "SELECT a FROM (t, u) AS @",
      "SELECT a FROM t JOIN u @ t.a",
      "SELECT a FROM t JOIN u ON @",
      "SELECT a FROM t JOIN u USING (@)",
      "SELECT a FROM t JOIN u USING (a @)",
      "SELECT a FROM t JOIN u USING @",
      "SELECT a FROM t JOIN u ON a @ b",
      "SELECT a FROM t, u @ (a)",
      "SELECT a FROM t @ (a)",
      "SELECT a FROM t NATURAL JOIN u @ (a)",
      "SELECT a FROM t JOIN u ON a USING @",
      "SELECT a FROM t WHERE @",
      "SELECT a FROM t WHERE a @",
      "SELECT a FROM t @ a",
      "SELECT a FROM t GROUP @ a",
      "SELECT a FROM t GROUP BY @",
      "SELECT a FROM t GROUP BY a @",
      "SELECT a FROM t GROUP BY a @ b",
      "SELECT a FROM t GROUP BY a HAVING @",
      "SELECT a FROM t HAVING @",
      "SELECT a FROM t WINDOW @ AS ()",
      "SELECT a FROM t WINDOW w AS (@)",
      "SELECT a FROM t WINDOW w @ ()",
      "SELECT a FROM t WINDOW w AS (), @ AS ()",
      "SELECT a FROM t ORDER BY @",
      "SELECT a FROM t ORDER BY a @",
      "SELECT a FROM t ORDER BY a @ FIRST",
      "SELECT a FROM t ORDER BY a NULLS @",
      "SELECT a FROM t ORDER BY a DESC @",
      "SELECT a FROM t ORDER BY a @ b",
      "SELECT a FROM t ORDER @ a",
      "SELECT a FROM t LIMIT @",
      "SELECT a FROM t LIMIT 1 @ 2",
      "SELECT a FROM t LIMIT 1 OFFSET @",
      "SELECT a FROM t LIMIT 1, @",
      "SELECT a FROM t LIMIT 1 @",
      "SELECT a FROM t ORDER BY 1 @ SELECT b FROM t",
      "SELECT a FROM t LIMIT 1 @ SELECT b FROM t",
      "SELECT a FROM t @ SELECT b FROM t",
      "SELECT a FROM t UNION @ SELECT b FROM t",
      "SELECT a FROM t EXCEPT @",
      "SELECT a FROM t UNION ALL @ (1)",
      "VALUES @",
      "VALUES (@)",
      "VALUES (1) @",
      "VALUES (1), @",
      "VALUES (1 @)",
      "VALUES (1) @ BY 1",
      "VALUES (1) @ VALUES (2)",
      "SELECT 1 UNION VALUES (1) @ 1",
      "WITH @ AS (SELECT 1) SELECT a FROM t",
      "WITH @ x AS (SELECT 1) SELECT a FROM t",
      "WITH x @ (SELECT 1) SELECT a FROM t",
      "WITH x(@) AS (SELECT 1) SELECT a FROM t",
      "WITH x(a @) AS (SELECT 1) SELECT 1",
      "WITH x(a @ b) AS (SELECT 1) SELECT 1",
      "WITH x AS @ (SELECT 1) SELECT 1",
      "WITH x AS NOT @ (SELECT 1) SELECT 1",
      "WITH x AS (@) SELECT 1",
      "WITH x AS (SELECT 1), @ AS (SELECT 1) SELECT 1",
      "WITH x AS (SELECT 1) @",
      "WITH x AS (SELECT 1) @ (1)",
      "SELECT EXISTS (@)",
      "SELECT EXISTS @",
      "SELECT @ EXISTS (SELECT 1)",
      "SELECT EXISTS (SELECT 1) @",
      "SELECT (SELECT 1 @)",
      "SELECT (SELECT a FROM t @)",
      "SELECT 1; @",
      "SELECT (WITH @ AS (SELECT 1) SELECT 1)",
      "SELECT a FROM (WITH @ AS (SELECT 1) SELECT 1)",
      "SELECT group_concat(a ORDER @ b) FROM t",
      "SELECT group_concat(a ORDER BY @) FROM t",
      "SELECT group_concat(ORDER BY @) FROM t",
      "SELECT (VALUES (@))",
      "SELECT a FROM t WHERE (a, b) @ (SELECT 1, 2)",
      "SELECT ((@))",
      "SELECT a FROM ((@))",
      "SELECT a FROM ((t) @ u)",
      "SELECT a FROM ((SELECT 1) @ u)",
      "SELECT a FROM ((SELECT 1) @)",
  };
  std::size_t disagreements = 0;
  for (const std::string place : places) {
    for (const auto& word : words()) {
      std::string sql;
      for (const char c : place)
        if (c == '@')
          sql += word;
        else
          sql += c;
      const auto result = agrees(sql);
      if (!result && ++disagreements <= 40) ADD_FAILURE() << result.message();
    }
  }
  EXPECT_EQ(disagreements, 0U);
}

// Sequences of tokens that begin as queries do; most are not queries, several hundred thousand are.
TEST_F(ParserDifferential, RandomTokens) {
  const char* const tokens[] = {
      "SELECT",
      "SELECT",
      "a",
      "b",
      "c",
      "t",
      "u",
      "t.a",
      "1",
      "2",
      "'s'",
      "\"q\"",
      "(",
      "(",
      ")",
      ")",
      ")",
      ",",
      ",",
      "*",
      "FROM",
      "FROM",
      "WHERE",
      "AND",
      "OR",
      "NOT",
      "=",
      "<",
      "+",
      "-",
      "||",
      "IS",
      "NULL",
      "IN",
      "LIKE",
      "ESCAPE",
      "BETWEEN",
      "AND",
      "CASE",
      "WHEN",
      "THEN",
      "ELSE",
      "END",
      "CAST",
      "AS",
      "AS",
      "COLLATE",
      "EXISTS",
      "DISTINCT",
      "ALL",
      "JOIN",
      "LEFT",
      "NATURAL",
      "CROSS",
      "ON",
      "USING",
      "GROUP BY",
      "HAVING",
      "ORDER BY",
      "LIMIT",
      "OFFSET",
      "UNION",
      "UNION ALL",
      "EXCEPT",
      "VALUES",
      "WITH",
      "RECURSIVE",
      "OVER",
      "FILTER",
      "WINDOW",
      "PARTITION BY",
      "ROWS",
      "PRECEDING",
      "FOLLOWING",
      "CURRENT ROW",
      "UNBOUNDED",
      "DESC",
      "NULLS",
      "FIRST",
      "max",
      "count",
      "max(a)",
      "count(*)",
      "->",
      "~",
      "ISNULL",
      "NOTNULL",
      "NOT NULL",
      "DISTINCT FROM",
      "MATERIALIZED",
      "INDEXED",
      "BY",
      "?1",
      ".",
      ";",
      "MATCH",
      "GLOB",
      "x'00'",
      "1.5",
      "CURRENT_DATE",
      "END",
  };
  const std::vector<std::string> openings = {"SELECT",
                                             "SELECT a FROM t",
                                             "SELECT a FROM t WHERE a",
                                             "SELECT max(a) OVER (",
                                             "SELECT CASE",
                                             "WITH x AS (SELECT",
                                             "VALUES (",
                                             "SELECT a IN (",
                                             "SELECT a FROM t JOIN u",
                                             "SELECT a FROM t ORDER BY",
                                             "SELECT a FROM (",
                                             "SELECT (a"};
  std::mt19937 random(20240607);
  std::size_t disagreements = 0, accepted = 0;
  for (int i = 0; i < 300000 && disagreements < 20; ++i) {
    std::string sql = openings[random() % openings.size()];
    const auto length = 1 + random() % 7;
    for (std::size_t n = 0; n < length; ++n) sql += std::string(" ") + tokens[random() % std::size(tokens)];
    // Close open parentheses, or hardly any of these would be a query.
    const auto open = std::count(sql.begin(), sql.end(), '(') - std::count(sql.begin(), sql.end(), ')');
    for (auto k = open; k > 0; --k) sql += ')';
    const auto result = agrees(sql);
    if (!result) ++disagreements, ADD_FAILURE() << result.message();
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;
    ++accepted;
    // What was accepted survives printing.
    const auto program = explain(db_, sql);
    for (const auto style : {PrintStyle::canonical, PrintStyle::pretty}) {
      const auto text = print_query(*parsed, style);
      const auto again = parse_query(text, {.version = sqlite3_libversion_number()});
      ASSERT_TRUE(again.ok()) << sql << "\n" << text << "\n" << again.error().message;
      ASSERT_EQ(*again, *parsed) << sql << "\n" << text;
      ASSERT_EQ(explain(db_, text), program) << sql << "\n" << text;
    }
  }
  EXPECT_GT(accepted, 10000U);
}

// Random expressions are read with SQLite's precedence: with all parentheses written, they compile to the same program.
TEST_F(ParserDifferential, RandomOperators) {
  const char* const infixes[] = {"OR",
                                 "AND",
                                 "=",
                                 "==",
                                 "!=",
                                 "<>",
                                 "IS",
                                 "IS NOT",
                                 "IS DISTINCT FROM",
                                 "IS NOT DISTINCT FROM",
                                 "LIKE",
                                 "NOT GLOB",
                                 "<",
                                 "<=",
                                 ">",
                                 ">=",
                                 "&",
                                 "|",
                                 "<<",
                                 ">>",
                                 "+",
                                 "-",
                                 "*",
                                 "/",
                                 "%",
                                 "||",
                                 "->",
                                 "->>",
                                 "BETWEEN a AND",
                                 "NOT BETWEEN - b AND",
                                 "LIKE a ESCAPE",
                                 "IN (a, 2) AND",
                                 "COLLATE nocase ||"};
  const char* const prefixes[] = {"", "", "", "", "NOT", "-", "+", "~", "NOT -"};
  const char* const postfixes[] = {
      "", "", "", "", "", "ISNULL", "NOTNULL", "NOT NULL", "COLLATE rtrim", "IN (1, b)", "NOT IN (c)", "IS NULL"};
  const char* const operands[] = {"a", "b", "c", "1", "'x'", "NULL", "(a)", "max(a, 2)"};
  std::mt19937 random(7);
  const auto any = [&](const auto& texts) { return std::string(" ") + texts[random() % std::size(texts)]; };
  int compared = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string expression;
    const auto count = 2 + random() % 5;
    for (std::size_t n = 0; n < count; ++n) {
      if (n > 0) expression += any(infixes);
      expression += any(prefixes) + any(operands) + any(postfixes);
    }
    ASSERT_TRUE(agrees("SELECT" + expression + " FROM t"));
    const auto program = explain(db_, "SELECT" + expression + " FROM t");
    if (!program) continue;
    const auto parsed = parse_query("SELECT" + expression, {.version = sqlite3_libversion_number()});
    ASSERT_TRUE(parsed.ok()) << expression;
    const auto grouping = grouped(*parsed->single_select()->items.at(0).expr());
    ASSERT_EQ(explain(db_, "SELECT " + grouping + " FROM t"), program) << expression << "\n" << grouping;
    ++compared;
  }
  EXPECT_GT(compared, 15000);
}

}  // namespace
}  // namespace trustsql
