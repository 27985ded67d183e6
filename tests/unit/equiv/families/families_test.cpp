// The prover and verdicts on families of random queries that look the same (family.hpp), and the families on provers
// that are wrong.
//
// Fifty thousand pairs by default. TRUSTSQL_TEST_FAMILIES is the number of families, each of about two thousand pairs;
// TRUSTSQL_TEST_SEED makes different ones. tests/hunt is the long run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "unit/equiv/families/family.hpp"
#include "unit/equiv/families/shrinker.hpp"

namespace trustsql::families {
namespace {

std::uint64_t number(const char* name, std::uint64_t usual) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::strtoull(set, nullptr, 10) : usual;
}

TEST(Families, NoProofIsContradicted) {
  const std::uint64_t families = number("TRUSTSQL_TEST_FAMILIES", 26);
  const std::uint64_t seed = mix64(number("TRUSTSQL_TEST_SEED", 1));
  FamilyCounts counts;
  for (std::uint64_t i = 0; i < families; ++i) {
    for (const auto& finding : check_family(seed + i, {}, counts)) ADD_FAILURE() << finding.text;
  }
  std::cout << counts.text() << "\n";
  EXPECT_GT(counts.proofs, counts.pairs / 50);
  EXPECT_GT(counts.comparisons, counts.proofs * 50);
  EXPECT_GT(counts.verdicts.refuted, 0U);
}

TEST(Families, AreTheSameForTheSameSeed) {
  std::string pairs[2];
  for (auto& text : pairs) {
    FamilyCounts counts;
    check_family(7, {.variants = 10, .databases = 5, .verdicts = 0}, counts,
                 [&](const std::string& schema, const Setting& setting, const std::string& a, const std::string& b) {
                   text += schema + setting.text() + a + b;
                 });
  }
  EXPECT_FALSE(pairs[0].empty());
  EXPECT_EQ(pairs[0], pairs[1]);
}

equiv::ProofAttempt proved() { return {equiv::Proof{}, {}}; }

// A prover that proves everything is caught on nearly every family, and the wrong proofs are made small.
TEST(Families, ContradictAProverThatProvesAll) {
  FamilyOptions options{
      .prover = [](auto&, auto&, const auto&) { return proved(); }, .variants = 16, .databases = 60, .verdicts = 0};
  FamilyCounts counts;
  int mutants_found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto findings = check_family(seed, options, counts);
    mutants_found += findings.empty() ? 0 : 1;
    for (const auto& finding : findings) {
      EXPECT_NE(finding.text.find("CREATE TABLE"), std::string::npos);
      EXPECT_LT(finding.text.size(), 2000U) << finding.text;
    }
  }
  EXPECT_GE(mutants_found, 9);
}

// A query of one table, whose columns are a and b.
Node query_of(Node item, Node where = {}) {
  Node table = make(Kind::table, "t");
  table.alias = "x";
  return select_of({std::move(item)}, std::move(table), std::move(where));
}

std::unique_ptr<Ground> ground_of(const std::string& ddl) {
  Schema schema;
  schema.tables.push_back({"t", {{"a", "", false}, {"b", "", false}}, {}, {}, false, ddl});
  return Ground::create(schema);
}

TEST(FamilyJudge, TellsDifferencesApart) {
  const auto ground = ground_of("CREATE TABLE t(a, b);");
  const Filling filling{"INSERT INTO t VALUES (1, 1.0)", "INSERT INTO t VALUES (2, '2')"};
  const Setting setting;
  const auto difference = [&](const Node& a, const Node& b) { return compare(*ground, filling, setting, a, b); };
  const Node a = column_of("x", "a");
  const Node b = column_of("x", "b");
  const Node first = binary("=", a, literal("1"));
  EXPECT_EQ(difference(query_of(a), query_of(make(Kind::prefix, "+", {a}))), Difference::none);
  EXPECT_EQ(difference(query_of(a, first), query_of(b, first)), Difference::numbers);
  EXPECT_EQ(difference(query_of(a), query_of(b)), Difference::plain);
  EXPECT_EQ(difference(query_of(literal("0.0")), query_of(literal("-0.0"))), Difference::none);
  Node any = query_of(a);
  any[Part::limit] = literal("1");
  EXPECT_EQ(difference(any, query_of(literal("2"))), Difference::order_open);
}

// DISTINCT leaves tied rows in the order of the table, GROUP BY sorts them.
TEST(FamilyJudge, KnowsTiesOfLists) {
  const auto ground = ground_of("CREATE TABLE t(a, b);");
  const Filling filling{"INSERT INTO t VALUES (2, 1)", "INSERT INTO t VALUES (1, 1)", "INSERT INTO t VALUES (0, 0)"};
  const auto difference = [&](const Node& a, const Node& b) { return compare(*ground, filling, {}, a, b); };
  const Node a = column_of("x", "a");
  const Node b = column_of("x", "b");
  Node distinct = query_of(a);
  distinct.text = "DISTINCT";
  Node grouped = query_of(a);
  grouped[Part::group].parts = {a};
  distinct[Part::order].parts = grouped[Part::order].parts = {b};
  EXPECT_EQ(difference(distinct, grouped), Difference::ties);
  distinct[Part::order].parts = {a};
  grouped[Part::order].parts = {make(Kind::prefix, "-", {a})};
  EXPECT_EQ(difference(distinct, grouped), Difference::plain);
}

// 'a' = 'a ' by RTRIM, but not in the index that SQLite makes for the join.
TEST(FamilyJudge, KnowsBugsOfSqlite) {
  if (sqlite3_libversion_number() != 3'040'001) GTEST_SKIP() << "SQLite " << sqlite3_libversion();
  const auto ground = ground_of("CREATE TABLE t(a TEXT COLLATE RTRIM, b);");
  const Filling filling{"INSERT INTO t VALUES ('a', 'a ')", "INSERT INTO t VALUES ('b', 'a ')"};
  Node left = make(Kind::table, "t");
  left.alias = "x";
  Node right = make(Kind::table, "t");
  right.alias = "y";
  const Node equal = binary("=", column_of("x", "a"), column_of("y", "b"));
  const Node item = column_of("x", "a");
  const Node joined = select_of({item}, make(Kind::join, "LEFT JOIN", {left, right, equal}));
  const Node turned = select_of({item}, make(Kind::join, "RIGHT JOIN", {right, left, equal}));
  EXPECT_EQ(compare(*ground, filling, {}, joined, turned), Difference::sqlite);
}

TEST(FamilyShrinker, LeavesWhatTheDifferenceNeeds) {
  const auto ground = ground_of("CREATE TABLE t(a, b);");
  const Node a = column_of("x", "a");
  const Node condition = conjunction(make(Kind::postfix, "IS NOT NULL", {a}), binary("=", a, a));
  const Filling filling{"INSERT INTO t VALUES (1, 2)", "INSERT INTO t VALUES (1, 2)", "INSERT INTO t VALUES (3, 4)"};
  Node distinct = query_of(a, condition);
  distinct.text = "DISTINCT";
  const auto small = shrink(
      {query_of(a, condition), distinct, filling}, Difference::plain,
      [](auto&, auto&, const auto&) { return proved(); }, *ground, {}, {}, 100);
  EXPECT_EQ(print(small.a), "SELECT x.a FROM t x");
  EXPECT_EQ(print(small.b), "SELECT DISTINCT x.a FROM t x");
  EXPECT_EQ(small.filling, Filling({"INSERT INTO t VALUES (1, 2)", "INSERT INTO t VALUES (1, 2)"}));
}

}  // namespace
}  // namespace trustsql::families
