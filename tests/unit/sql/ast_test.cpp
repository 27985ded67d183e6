#include "sql/ast.hpp"

#include <gtest/gtest.h>

#include "sql/ast_walk.hpp"

namespace trustsql::ast {
namespace {

Expr number(std::string text) { return {Literal{Literal::Kind::integer, std::move(text)}}; }
Expr column(std::string name, Quote quote = Quote::none) { return {ColumnRef{{}, {}, Name{std::move(name), quote}}}; }
Expr sum(Expr left, Expr right) { return {Binary{BinaryOp::add, std::move(left), std::move(right)}}; }

TEST(Ast, CopiesAreDeepAndEqual) {
  const Expr original = sum(column("a"), number("1"));
  Expr copy = original;
  EXPECT_EQ(copy, original);
  EXPECT_EQ(hash(copy), hash(original));
  copy.as<Binary>()->right->as<Literal>()->text = "2";
  EXPECT_NE(copy, original);
  EXPECT_NE(hash(copy), hash(original));
}

TEST(Ast, NamesEqualWithoutCaseAndQuotes) {
  EXPECT_EQ((Name{"City"}), (Name{"city", Quote::brackets}));
  EXPECT_EQ(column("City"), column("city", Quote::backticks));
  EXPECT_EQ(hash(column("City")), hash(column("city", Quote::backticks)));
}

TEST(Ast, AColumnThatMayBeAStringEqualsOnlyItsLike) {
  EXPECT_NE(column("city"), column("city", Quote::double_quotes));
  EXPECT_EQ(column("city", Quote::double_quotes), column("CITY", Quote::double_quotes));
  EXPECT_NE(column("true"), column("true", Quote::brackets));
}

TEST(Ast, SpansAreNotPartOfTheValue) {
  Expr a = number("1");
  const Expr b = a;
  a.span = {3, 4};
  EXPECT_EQ(a, b);
}

TEST(Ast, WalkVisitsParentsFirstAndCanTurnBack) {
  Query inner;
  inner.arms.push_back({SetOp::union_all, Select{.items = {{column("hidden"), {}}}}});
  Query query;
  query.arms.push_back(
      {SetOp::union_all, Select{.items = {{sum(column("a"), column("b")), {}}, {Expr{Subquery{inner}}, {}}}}});
  std::string all;
  walk(query, [&](const ColumnRef& c) { all += c.column.text + " "; });
  EXPECT_EQ(all, "a b hidden ");
  std::string outer;
  walk(query,
       Overloaded{[&](const Binary&) { outer += "+ "; }, [&](const ColumnRef& c) { outer += c.column.text + " "; },
                  [&](const Subquery&) { return false; }});
  EXPECT_EQ(outer, "+ a b ");
}

TEST(Ast, LiteralsHaveSqlitesValues) {
  const auto value = [](Literal::Kind kind, std::string text) { return Literal{kind, std::move(text)}.value(); };
  EXPECT_EQ(value(Literal::Kind::integer, "9223372036854775807"), Value(INT64_MAX));
  EXPECT_EQ(value(Literal::Kind::integer, "9223372036854775808"), Value(9223372036854775808.0));
  EXPECT_EQ(value(Literal::Kind::integer, "1_000"), Value(std::int64_t{1000}));
  EXPECT_EQ(value(Literal::Kind::integer, "0xffffffffffffffff"), Value(std::int64_t{-1}));
  EXPECT_EQ(value(Literal::Kind::integer, "0x1ffffffffffffffff"), Value(std::monostate{}));
  EXPECT_EQ(value(Literal::Kind::integer, "0x00000000000000000001"), Value(std::int64_t{1}));
  EXPECT_EQ(value(Literal::Kind::real, ".5e3"), Value(500.0));
  EXPECT_EQ(value(Literal::Kind::real, "5."), Value(5.0));
  EXPECT_EQ(value(Literal::Kind::real, "1e999"), Value(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(value(Literal::Kind::real, "1e-999"), Value(0.0));
  EXPECT_EQ(value(Literal::Kind::blob, std::string("\0a", 2)), Value(Blob{std::string("\0a", 2)}));
}

}  // namespace
}  // namespace trustsql::ast
