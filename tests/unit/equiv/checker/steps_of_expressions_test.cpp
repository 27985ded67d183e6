// The checker on single steps of rules about expressions.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST_F(CheckerOnSteps, ConstantOffByOne) {
  accept_but(step("constant_folding", "SELECT age > 2 + 3 FROM p"),
             [](RewriteStep& s) { s.after = literal(std::int64_t{6}); });
  accept_but(step("constant_folding", "SELECT age > 7 / 2 FROM p"), [](RewriteStep& s) { s.after = literal(3.5); });
}

TEST_F(CheckerOnSteps, NegationThatForgetsNull) {
  auto negation = step("negation_pushdown", "SELECT id FROM p WHERE NOT age < 3", true);
  accept_but(negation, [](RewriteStep& s) {
    s.after = Expr{IsTruth{*std::get<Expr>(s.before).as<Not>()->operand, true, true}};
  });
  accept_but(negation, [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::less; });
}

TEST_F(CheckerOnSteps, OperandsOfAnotherOrder) {
  accept_but(step("operand_order", "SELECT 3 < age FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::less; });
}

TEST_F(CheckerOnSteps, SharesThatRoundOtherwise) {
  auto share = step("real_arithmetic", "SELECT CAST(id AS REAL) * 100 / w FROM p, c");
  accept_but(share, [](RewriteStep& s) { first<Literal>(s.after).value = std::int64_t{100}; });
  accept_but(step("real_arithmetic", "SELECT id * 1.0 / w FROM p, c"),
             [](RewriteStep& s) { s.after = Expr(*first<Cast>(s.after).operand); });
  auto guarded = step("division_by_zero", "SELECT CASE WHEN age = 0 THEN NULL ELSE id / age END FROM p");
  accept_but(guarded, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(guarded, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::not_equal; });
  accept_but(guarded, [](RewriteStep& s) { first<Binary>(s.before).op = ast::BinaryOp::multiply; });
}

TEST_F(CheckerOnSteps, BetweenWithSwappedBounds) {
  accept_but(step("between_expansion", "SELECT age BETWEEN 2 AND 5 FROM p"), [](RewriteStep& s) {
    auto& terms = first<And>(s.after).terms;
    std::swap(terms[0].as<Compare>()->right, terms[1].as<Compare>()->right);
  });
  accept_but(step("between_expansion", "SELECT age BETWEEN 2 AND 5 FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::greater; });
}

TEST_F(CheckerOnSteps, ConversionsAndCollations) {
  accept_but(step("comparison_conversion", "SELECT age = '5' FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal("5"); });
  auto comparison = step("operand_order", "SELECT 'a' = name COLLATE NOCASE FROM p");
  accept_but(comparison, [](RewriteStep& s) { first<Compare>(s.after).how.collation = binary_collation; });
}

TEST_F(CheckerOnSteps, BoundsOfWholeNumbers) {
  auto bound = step("integer_bounds", "SELECT id > 3 FROM p");
  accept_but(bound, [](RewriteStep& s) { first<Compare>(s.after).right = literal(std::int64_t{5}); });
  // An INT column may hold 3.5.
  const auto id = attribute("id");
  plan_.attributes[id].types = types::any;
  plan_.attributes[id].storage = Affinity::integer;
  reject(bound);
  auto sum = step("integer_sums", "SELECT id + 10 > 100 FROM p");
  accept_but(sum, [](RewriteStep& s) { first<Compare>(s.after).right = literal(std::int64_t{110}); });
  auto constants = step("integer_sums", "SELECT 3 + (id + 14) FROM p");
  accept_but(constants, [](RewriteStep& s) { first<Binary>(s.after).right = literal(std::int64_t{18}); });
}

TEST_F(CheckerOnSteps, NullsThatMayBeThere) {
  auto test = step("null_simplification", "SELECT id IS NULL, age FROM p");
  test.non_null = {attribute("id")};
  accept_but(test, [&](RewriteStep& s) { first<IsNull>(s.before).operand = column(attribute("age")); });
  auto self = step("self_comparison", "SELECT id FROM p WHERE age = age", true);
  accept_but(self, [](RewriteStep& s) { s.after = literal(std::int64_t{1}); });
  accept_but(self, [](RewriteStep& s) { s.truth_only = false; });
}

TEST_F(CheckerOnSteps, LawsOfAndAndOr) {
  accept_but(step("boolean_simplification", "SELECT id FROM p WHERE NOT (age = 1 AND (age = 1 OR name = 'a'))", true),
             [](RewriteStep& s) { s.after = literal(std::int64_t{0}); });
  auto lost = step("boolean_simplification", "SELECT (age = 1 AND name = 'a') OR (age = 1 AND name = 'b') FROM p");
  accept_but(lost, [](RewriteStep& s) { first<And>(s.after).terms.pop_back(); });
}

TEST_F(CheckerOnSteps, ListsAndCases) {
  accept_but(step("in_list_normalisation", "SELECT age = 1 OR age = 2 FROM p"),
             [](RewriteStep& s) { first<InList>(s.after).items.pop_back(); });
  accept_but(step("case_simplification", "SELECT CASE WHEN age > 3 THEN 1 ELSE 0 END FROM p"),
             [](RewriteStep& s) { s.after = *first<IsTruth>(s.after).operand; });
  accept_but(step("truth_simplification", "SELECT id FROM p WHERE (age > 3) = 0", true), [](RewriteStep& s) {
    s.truth_only = false;
    s.after = *first<Not>(s.after).operand;
  });
  accept_but(step("truth_simplification", "SELECT id FROM p WHERE coalesce(age > 3, 0)", true),
             [](RewriteStep& s) { s.truth_only = false; });
  accept_but(step("truth_simplification", "SELECT id FROM p WHERE coalesce(age > 3, age < 2, 0)", true),
             [](RewriteStep& s) { first<Function>(s.before).arguments.back() = literal(std::int64_t{1}); });
  accept_but(step("function_spelling", "SELECT ifnull(age, 1) FROM p"), [](RewriteStep& s) {
    std::swap(first<Function>(s.after).arguments[0], first<Function>(s.after).arguments[1]);
  });
  accept_but(step("json_spelling", "SELECT city ->> 'b' FROM p"),
             [](RewriteStep& s) { first<Function>(s.after).arguments[1] = literal(std::string("$.a")); });
  accept_but(step("json_spelling", "SELECT city ->> 2 FROM p"), [&](RewriteStep& s) {
    s.after = Expr{Binary{ast::BinaryOp::arrow, column(attribute("city")), literal(std::string("$[2]"))}};
  });
  accept_but(step("arithmetic_simplification", "SELECT id * 1 FROM p"),
             [&](RewriteStep& s) { s.after = column(attribute("id") + 1); });
}

TEST_F(CheckerOnSteps, NumbersThatAreTexts) {
  auto sum = step("arithmetic_simplification", "SELECT id + 0, name FROM p");
  accept_but(sum, [&](RewriteStep& s) {
    first<Binary>(s.before).left = column(attribute("name"));
    s.after = column(attribute("name"));
  });
}

TEST_F(CheckerOnSteps, TextsOfNumbers) {
  auto text = step("number_text_comparison", "SELECT CAST(name AS INTEGER) = 5 FROM p");
  accept_but(text, [](RewriteStep& s) { first<Compare>(s.after).right = literal("6"); });
  accept_but(text, [](RewriteStep& s) { s.assumptions.clear(); });
  // 5.5 is cast to 5 as well.
  accept_but(text, [](RewriteStep& s) { s.assumptions.front().kind = Assumption::Kind::number_text; });
  accept_but(step("number_text_comparison", "SELECT CAST(name AS REAL) > age FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).how.affinity = Affinity::none; });
}

TEST_F(CheckerOnSteps, PartsOfDates) {
  auto year = step("date_parts", "SELECT strftime('%Y', city) FROM p");
  accept_but(year, [](RewriteStep& s) { s.assumptions.clear(); });
  accept_but(year, [](RewriteStep& s) { first<Function>(s.after).arguments[1] = literal(std::int64_t{2}); });
  accept_but(year, [](RewriteStep& s) { first<Function>(s.after).arguments[2] = literal(std::int64_t{5}); });
  accept_but(step("date_parts", "SELECT strftime('%m', city) FROM p"),
             [](RewriteStep& s) { first<Function>(s.before).arguments[0] = literal("%d"); });
  auto day = step("date_parts", "SELECT date(city) FROM p");
  accept_but(day, [](RewriteStep& s) { s.assumptions.front().kind = Assumption::Kind::datetime_text; });
  accept_but(day, [](RewriteStep& s) { first<Function>(s.before).arguments.push_back(literal("+1 day")); });
  auto time = step("date_parts", "SELECT time(city) FROM p");
  accept_but(time, [](RewriteStep& s) { s.assumptions.front().kind = Assumption::Kind::date_text; });
}

TEST_F(CheckerOnSteps, RangesOfDates) {
  auto year = step("date_ranges", "SELECT strftime('%Y', city) = '2021' FROM p");
  const auto bound = [](std::size_t place, const char* date) {
    return [place, date](RewriteStep& s) { first<And>(s.after).terms[place].as<Compare>()->right = literal(date); };
  };
  accept_but(year, bound(0, "2021-01-02"));
  accept_but(year, bound(0, "2020-12-31"));
  accept_but(year, bound(1, "2021-12-30"));
  accept_but(year, bound(1, "2022-01-01"));
  accept_but(year, [](RewriteStep& s) { s.assumptions.clear(); });
  accept_but(year, [](RewriteStep& s) { s.assumptions.front().kind = Assumption::Kind::datetime_text; });
  accept_but(step("date_ranges", "SELECT city > '2020-02-28' FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal("2020-03-01"); });
  accept_but(step("date_ranges", "SELECT city LIKE '2020-02%', date(city) FROM p"),
             [](RewriteStep& s) { first<And>(s.after).terms[1].as<Compare>()->right = literal("2020-02-28"); });
  accept_but(step("date_ranges", "SELECT city < '2021-06-15 12:00:00' FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal("2021-06-15 11:59:58"); });
  accept_but(step("date_ranges", "SELECT CAST(strftime('%m', city) AS INTEGER) >= 6 FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal("07"); });
  accept_but(step("date_ranges", "SELECT strftime('%d', city) > '06' FROM p"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal("08"); });
  accept_but(step("date_ranges", "SELECT CAST(strftime('%m', city) AS INTEGER) IN (1, 6) FROM p"),
             [](RewriteStep& s) { first<InList>(s.after).items.back() = literal("6"); });
}

TEST_F(CheckerOnSteps, LikeOfPrefixes) {
  auto prefix = step("like_prefix", "SELECT city LIKE '2023-%' FROM p");
  accept_but(prefix, [](RewriteStep& s) { first<Function>(s.after).arguments.back() = literal(std::int64_t{4}); });
  accept_but(prefix, [](RewriteStep& s) { first<Function>(s.after).arguments[1] = literal(std::int64_t{2}); });
  accept_but(prefix, [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::not_equal; });
  accept_but(prefix, [](RewriteStep& s) { first<Like>(s.before).pattern = literal("%2023-%"); });
  accept_but(prefix, [](RewriteStep& s) { first<Like>(s.before).pattern = literal("2023-"); });
  accept_but(prefix, [](RewriteStep& s) { first<Like>(s.before).op = ast::LikeOp::glob; });
  // It might be a blob.
  accept_but(prefix, [](RewriteStep& s) { s.assumptions.clear(); });
  auto glob = step("like_prefix", "SELECT city GLOB 'a%1*' FROM p");
  accept_but(glob, [](RewriteStep& s) { first<Function>(s.after).arguments.back() = literal(std::int64_t{4}); });
  accept_but(glob, [](RewriteStep& s) { first<Compare>(s.after).right = literal("A%1"); });
  accept_but(glob, [](RewriteStep& s) { first<Like>(s.before).pattern = literal("a*1*"); });
  accept_but(glob, [](RewriteStep& s) { first<Like>(s.before).pattern = literal("a?1*"); });
  accept_but(glob, [](RewriteStep& s) { first<Like>(s.before).op = ast::LikeOp::like; });
  // Letter case may not matter.
  accept_but(prefix, [](RewriteStep& s) {
    first<Like>(s.before).pattern = literal("a023-%");
    first<Compare>(s.after).right = literal("a023-");
  });
}

TEST_F(CheckerOnSteps, LikeOfConstants) {
  accept_but(step("constant_folding", "SELECT 'foo' LIKE 'fo%bar', age FROM p"),
             [](RewriteStep& s) { s.after = literal(std::int64_t{1}); });
  auto folded = step("constant_folding", "SELECT 'foo' LIKE 'F%', 'foo' LIKE '_o%' FROM p");
  accept_but(folded, [](RewriteStep& s) { first<Like>(s.before).pattern = literal("_O%"); });
}

TEST_F(CheckerOnSteps, RandomIsDrawnOnce) {
  auto folded = step("between_expansion", "SELECT age BETWEEN 1 AND 2 FROM p");
  auto drawn = step("operand_order", "SELECT 1 < random() FROM p");
  accept(drawn);
  RewriteStep twice = folded;
  const Expr random = *first<Compare>(drawn.before).right;
  first<Between>(twice.before).operand = random;
  for (auto& term : first<And>(twice.after).terms) term.as<Compare>()->left = random;
  reject(twice);
}

}  // namespace
}  // namespace trustsql::equiv::checker
