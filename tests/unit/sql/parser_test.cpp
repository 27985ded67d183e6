#include "sql/parser.hpp"

#include <gtest/gtest.h>

#include "sql/ast_walk.hpp"
#include "sql/printer.hpp"
#include "unit/sql/grouped.hpp"

namespace trustsql {
namespace {

std::string error_of(std::string_view sql, int version = latest_grammar) {
  const auto parsed = parse_query(sql, {.version = version});
  return parsed.ok() ? "accepted" : parsed.error().message;
}

ast::Query parsed(std::string_view sql) {
  auto result = parse_query(sql);
  EXPECT_TRUE(result.ok()) << sql << ": " << (result.ok() ? "" : result.error().message);
  return result.ok() ? std::move(result).value() : ast::Query{};
}

const ast::Select& only_select(const ast::Query& query) { return *query.single_select(); }
const ast::Expr& only_item(const ast::Query& query) { return *only_select(query).items.at(0).expr(); }

TEST(Parser, ErrorsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(error_of("SELECT FROM t"), "line 1, column 8: expected an expression, found FROM");
  EXPECT_EQ(error_of("SELECT a\nFROM t\nWHERE ä = 1 )"), "line 3, column 13: expected the end of the query, found ')'");
  EXPECT_EQ(error_of("SELECT a FROM"), "line 1, column 14: expected a table, found the end of the query");
  EXPECT_EQ(error_of(""), "line 1, column 1: expected SELECT, VALUES or WITH, found the end of the query");
  EXPECT_EQ(error_of("DELETE FROM t"), "line 1, column 1: expected SELECT, VALUES or WITH, found DELETE");
  EXPECT_EQ(error_of("SELECT 1; SELECT 2"), "line 1, column 11: expected the end of the query, found SELECT");
  EXPECT_EQ(error_of("SELECT 'abc"), "line 1, column 8: unrecognized token ''abc'");
  EXPECT_EQ(error_of("SELECT a NOT 1"),
            "line 1, column 14: expected NULL, BETWEEN, IN, LIKE, GLOB, REGEXP or MATCH, found '1'");
  EXPECT_EQ(error_of("SELECT 1 ORDER BY 1 UNION SELECT 2"),
            "line 1, column 10: ORDER BY clause should come after UNION not before");
  EXPECT_EQ(error_of("SELECT 1 LIMIT 1 EXCEPT SELECT 2"),
            "line 1, column 10: LIMIT clause should come after EXCEPT not before");
  EXPECT_EQ(error_of("SELECT 1 FROM t OUTER JOIN u"), "line 1, column 17: unknown join type 'OUTER'");
  EXPECT_EQ(error_of("SELECT 1 FROM t ON 1"), "line 1, column 17: a JOIN clause is required before ON and USING");
  EXPECT_EQ(error_of("SELECT 1 FROM t NATURAL JOIN u ON 1"),
            "line 1, column 32: a NATURAL join may not have an ON or USING clause");
  EXPECT_EQ(error_of(std::string_view("SELECT 1\0, 2", 12)),
            "line 1, column 9: expected the end of the query, found a NUL character");
  EXPECT_EQ(error_of(std::string_view("SELECT\0 1", 9)),
            "line 1, column 7: expected an expression, found a NUL character");
}

TEST(Parser, TheFirstErrorWins) {
  EXPECT_EQ(error_of("SELECT (1 + , ( FROM ' "), "line 1, column 13: expected an expression, found ','");
}

TEST(Parser, TheGrammarTakesAVersion) {
  const auto newer = [](std::string_view sql, int since) {
    EXPECT_EQ(error_of(sql, since), "accepted") << sql;
    EXPECT_NE(error_of(sql, since - 1), "accepted") << sql;
  };
  newer("SELECT a -> 'x' FROM t", 3038000);
  newer("SELECT a ->> 'x' FROM t", 3038000);
  newer("SELECT * FROM t RIGHT JOIN u", 3039000);
  newer("SELECT * FROM t NATURAL FULL OUTER JOIN u", 3039000);
  newer("SELECT a IS NOT DISTINCT FROM b FROM t", 3039000);
  newer("SELECT left(a, 2) FROM t", 3042000);
  newer("SELECT group_concat(a ORDER BY b) FROM t", 3044000);
  newer("SELECT 1_000", 3046000);
}

// f(p) WITHIN GROUP (ORDER BY x) is the call f(x, p), and is printed as it was written.
TEST(Parser, OrderedSetAggregatesAreOfSomeLibraries) {
  const auto read = [](std::string_view sql) {
    const auto query = parse_query(sql, {.ordered_sets = true});
    return query.ok() ? print_query(*query) : query.error().message;
  };
  const std::string_view both =
      "SELECT median() WITHIN GROUP (ORDER BY x), f(DISTINCT 1, 2) WITHIN GROUP (ORDER BY x + 1) "
      "FILTER (WHERE x > 1) OVER w FROM t WINDOW w AS ()";
  EXPECT_EQ(read(both), both);
  EXPECT_EQ(error_of(both), "line 1, column 30: expected BY, found '('");
  const auto query = parse_query(both, {.ordered_sets = true});
  ASSERT_TRUE(query.ok());
  const auto& call = *only_select(*query).items.at(1).expr()->as<ast::Call>();
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(print_expression(call.arguments.front()), "x + 1");

  // WITHIN is a name wherever it cannot begin the clause.
  EXPECT_EQ(read("SELECT count(*) within, max(x ORDER BY x) within, x within, max(x) \"within\", within FROM t within"),
            "SELECT count(*) AS within, max(x ORDER BY x) AS within, x AS within, max(x) AS within, within FROM t AS "
            "within");
  EXPECT_EQ(read("SELECT max(x) within FROM t"), "line 1, column 22: expected GROUP, found FROM");
  EXPECT_EQ(error_of("SELECT max(x) within FROM t"), "accepted");
  EXPECT_EQ(read("SELECT f(1) WITHIN GROUP (ORDER BY a, b)"), "line 1, column 37: expected ')', found ','");
  EXPECT_EQ(read("SELECT f(1) WITHIN GROUP (ORDER BY a DESC)"), "line 1, column 38: expected ')', found DESC");
  EXPECT_EQ(read("SELECT f(1) FILTER (WHERE a) WITHIN GROUP (ORDER BY a)"),
            "line 1, column 43: expected BY, found '('");
}

std::string grouping(const std::string& expression) {
  const auto result = parse_query("SELECT " + expression);
  return result.ok() ? grouped(only_item(*result)) : result.error().message;
}

TEST(Parser, OperatorsBindAsInSqlite) {
  EXPECT_EQ(grouping("a OR b AND c"), "(a OR (b AND c))");
  EXPECT_EQ(grouping("NOT a = b AND c"), "((NOT (a = b)) AND c)");
  EXPECT_EQ(grouping("a = NOT b = c"), "(a = (NOT (b = c)))");
  EXPECT_EQ(grouping("a = b < c"), "(a = (b < c))");
  EXPECT_EQ(grouping("a = b = c"), "((a = b) = c)");
  EXPECT_EQ(grouping("a < b & c + d * e || f"), "(a < (b & (c + (d * (e || f)))))");
  EXPECT_EQ(grouping("a | b & c << d"), "(((a | b) & c) << d)");
  EXPECT_EQ(grouping("- a || b"), "((- a) || b)");
  EXPECT_EQ(grouping("- a COLLATE nocase"), "((- a) COLLATE nocase)");
  EXPECT_EQ(grouping("a || b COLLATE nocase"), "(a || (b COLLATE nocase))");
  EXPECT_EQ(grouping("a -> b ->> c || d"), "(((a -> b) ->> c) || d)");
  EXPECT_EQ(grouping("~ - + a"), "(~ (- (+ a)))");
  EXPECT_EQ(grouping("a BETWEEN b AND c AND d"), "((a BETWEEN b AND c) AND d)");
  EXPECT_EQ(grouping("a BETWEEN b AND c = d"), "((a BETWEEN b AND c) = d)");
  EXPECT_EQ(grouping("a BETWEEN b AND c < d"), "(a BETWEEN b AND (c < d))");
  EXPECT_EQ(grouping("a BETWEEN b BETWEEN c AND d AND e"), "(a BETWEEN (b BETWEEN c AND d) AND e)");
  EXPECT_EQ(grouping("a BETWEEN b OR c AND d"), "line 1, column 30: expected AND, found the end of the query");
  EXPECT_EQ(grouping("a LIKE b ESCAPE c || d = e"), "((a LIKE b ESCAPE (c || d)) = e)");
  EXPECT_EQ(grouping("a LIKE b < c ESCAPE d"), "(a LIKE (b < c) ESCAPE d)");
  EXPECT_EQ(grouping("NOT a NOT LIKE b"), "(NOT (a NOT LIKE b))");
  EXPECT_EQ(grouping("a = b NOT NULL"), "((a = b) NOTNULL)");
  EXPECT_EQ(grouping("a + b ISNULL"), "((a + b) ISNULL)");
  EXPECT_EQ(grouping("a IS NOT b IS NULL"), "((a IS NOT b) ISNULL)");
  EXPECT_EQ(grouping("a IS NOT DISTINCT FROM b"), "(a IS b)");
  EXPECT_EQ(grouping("a IS DISTINCT FROM NULL"), "(a NOTNULL)");
}

TEST(Parser, KeepsHowNamesWereQuoted) {
  const auto query = parsed(R"(SELECT a, "b", `c`, [d], 'e'.f, "x""y" AS 'g' FROM 't t')");
  const auto& items = only_select(query).items;
  const auto name = [&](std::size_t i) { return items.at(i).expr()->as<ast::ColumnRef>()->column; };
  EXPECT_EQ(name(0).quote, ast::Quote::none);
  EXPECT_EQ(name(1).quote, ast::Quote::double_quotes);
  EXPECT_EQ(name(2).quote, ast::Quote::backticks);
  EXPECT_EQ(name(3).quote, ast::Quote::brackets);
  EXPECT_EQ(items.at(4).expr()->as<ast::ColumnRef>()->table->quote, ast::Quote::single_quotes);
  EXPECT_EQ(name(5).text, "x\"y");
  EXPECT_EQ(items.at(5).alias->text, "g");
  EXPECT_EQ(std::get<ast::Table>(only_select(query).from.at(0).source).name.name.text, "t t");
}

TEST(Parser, KeepsTheTextThatNamesAColumn) {
  const auto query = parsed("SELECT a , count( * )  , a+1 AS b, \"c\" , (a ), TRUE FROM t");
  std::vector<std::string> texts;
  for (const auto& item : only_select(query).items) texts.push_back(item.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"", "count( * )", "", "\"c\"", "", "TRUE"}));
}

TEST(Parser, SpansCoverTheirText) {
  const std::string sql = "SELECT (a + 1) * f(b, 'c') FROM t AS u JOIN v ON t.x = v.y";
  const auto query = parsed(sql);
  const auto text = [&](ast::Span span) { return sql.substr(span.begin, span.end - span.begin); };
  EXPECT_EQ(text(only_item(query).span), "(a + 1) * f(b, 'c')");
  EXPECT_EQ(text(only_item(query).as<ast::Binary>()->left->span), "a + 1");
  EXPECT_EQ(text(only_item(query).as<ast::Binary>()->right->span), "f(b, 'c')");
  EXPECT_EQ(text(only_select(query).from.at(0).span), "t AS u");
  EXPECT_EQ(text(only_select(query).from.at(1).on->span), "t.x = v.y");
  EXPECT_EQ(text(query.span), sql);
  ast::walk(query, [&](const ast::Expr& expr) { EXPECT_LT(expr.span.begin, expr.span.end) << print_expression(expr); });
}

TEST(Parser, JoinWordsComeInAnyOrder) {
  const auto join = [](const std::string& words) {
    const auto query = parsed("SELECT 1 FROM t " + words + " u");
    const auto& item = only_select(query).from.at(1);
    return std::pair(item.join, item.natural);
  };
  using enum ast::JoinType;
  EXPECT_EQ(join(","), std::pair(comma, false));
  EXPECT_EQ(join("JOIN"), std::pair(inner, false));
  EXPECT_EQ(join("OUTER LEFT NATURAL JOIN"), std::pair(left, true));
  EXPECT_EQ(join("RIGHT OUTER JOIN"), std::pair(right, false));
  EXPECT_EQ(join("LEFT RIGHT JOIN"), std::pair(full, false));
  EXPECT_EQ(join("INNER CROSS JOIN"), std::pair(cross, false));
}

TEST(Parser, DeepInputIsRefusedNotFollowed) {
  const auto nested = [](const std::string& open, const std::string& inner, const std::string& close, int depth) {
    std::string sql = "SELECT ";
    for (int i = 0; i < depth; ++i) sql += open;
    sql += inner;
    for (int i = 0; i < depth; ++i) sql += close;
    return sql;
  };
  const std::pair<std::string, std::string> forms[] = {{"(", ")"},
                                                       {"- ", ""},
                                                       {"1 BETWEEN ", " AND 1"},
                                                       {"1 IN t(", ")"},
                                                       {"1 OR 1 AND 1 = (", ")"},
                                                       {"NOT ", ""},
                                                       {"f(", ")"},
                                                       {"CASE WHEN ", " THEN 1 END"},
                                                       {"(SELECT ", ")"},
                                                       {"EXISTS (SELECT ", ")"},
                                                       {"1 IN (", ")"},
                                                       {"(WITH c AS (SELECT ", ") SELECT 1)"},
                                                       {"(SELECT * FROM (SELECT ", "))"},
                                                       {"1 + (", ")"},
                                                       {"f() OVER (ORDER BY ", ")"},
                                                       {"CAST(", " AS x)"},
                                                       {"(1, ", ")"}};
  for (const auto& [open, close] : forms) {
    EXPECT_EQ(error_of(nested(open, "1", close, 15)), "accepted") << open;
    EXPECT_NE(error_of(nested(open, "1", close, 100000)).find("nested too deeply"), std::string::npos) << open;
  }
  EXPECT_NE(error_of("SELECT 1 FROM " + std::string(100000, '(')).find("nested too deeply"), std::string::npos);
}

TEST(Parser, TallTreesAreRefused) {
  const auto chain = [](int operators) {
    std::string sql = "SELECT 1";
    for (int i = 0; i < operators; ++i) sql += " + 1";
    return sql;
  };
  EXPECT_EQ(error_of(chain(990)), "accepted");
  EXPECT_NE(error_of(chain(1001)).find("the expression is nested too deeply"), std::string::npos);
  EXPECT_NE(error_of(chain(200000)).find("the expression is nested too deeply"), std::string::npos);
  // The heights of an expression and of what contains it add up; those of siblings do not.
  EXPECT_NE(error_of("SELECT f(" + chain(600).substr(7) + ")" + chain(600).substr(8))
                .find("the expression is nested too deeply"),
            std::string::npos);
  EXPECT_EQ(error_of(chain(600) + "," + chain(600).substr(7)), "accepted");
}

TEST(Parser, LongInputIsNoDeepInput) {
  std::string list = "SELECT 1", rows = "VALUES (1)", arms = "SELECT 1", tables = "SELECT 1 FROM t";
  for (int i = 0; i < 50000; ++i) list += ", 1", rows += ", (1)";
  for (int i = 0; i < 499; ++i) arms += " UNION SELECT 1";
  for (int i = 0; i < 199; ++i) tables += ", t";
  EXPECT_EQ(error_of(list), "accepted");
  EXPECT_EQ(error_of(rows), "accepted");
  EXPECT_EQ(error_of(arms), "accepted");
  EXPECT_NE(error_of(arms + " UNION SELECT 1").find("too many terms"), std::string::npos);
  EXPECT_EQ(error_of(tables), "accepted");
  EXPECT_NE(error_of(tables + ", t").find("too many FROM clause terms"), std::string::npos);
}

}  // namespace
}  // namespace trustsql
