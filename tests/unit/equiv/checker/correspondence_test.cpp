// The checker of correspondences, given right and wrong hints.
#include "equiv/checker/correspondence.hpp"

#include <gtest/gtest.h>

#include "plan/normaliser.hpp"
#include "plan/walk.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv::checker {
namespace {

using namespace plan;

class CorrespondenceTest : public testing::Test {
 protected:
  // The relations of a kind, in the order of the text; for left joins, their right sides.
  template <class Kind>
  static std::vector<const Rel*> relations(const Rel& root) {
    std::vector<const Rel*> relations;
    walk(root, [&](const Rel& rel) {
      if constexpr (std::is_same_v<Kind, Join>) {
        if (const auto* join = rel.as<Join>(); join != nullptr && join->type == JoinType::left)
          relations.push_back(join->right.get());
      } else {
        if (rel.is<Kind>()) relations.push_back(&rel);
      }
    });
    return relations;
  }

  // Pairs leaf with leaf and side with side, in their order; `order`: which leaf of `a` the first, second ... leaf of
  // `b` is.
  std::optional<std::string> rejected(const std::string& a, const std::string& b,
                                      const std::vector<std::size_t>& order = {},
                                      RowsCorrespond how = RowsCorrespond::one_to_one,
                                      const std::vector<Assumption>& assumptions = {}, std::size_t dropped = 0) const {
    const NormaliseOptions none{.assume = Assume::nothing(), .verify = true};
    Plan plan = normalise(maker_.plan(a), none).plan;
    Plan other = normalise(maker_.plan(b), none).plan;
    Renaming renaming;
    for (AttributeId id = 0; id < other.attributes.size(); ++id)
      renaming[id] = plan.add_attribute(other.attributes[id]);
    rename(other.root, renaming);
    Certificate certificate;
    Certificate::Pairs back;  // the reverse direction, for homomorphisms
    const auto pair_all = [&](const std::vector<const Rel*>& of_a, const std::vector<const Rel*>& of_b,
                              const std::vector<std::size_t>& by) {
      for (std::size_t i = 0; i < of_b.size(); ++i) {
        const auto to = i < by.size() ? by[i] : i;
        if (to < of_a.size()) certificate.pairs.push_back({of_a[to], of_b[i]});
        if (i < of_a.size()) back.push_back({of_b[i], of_a[i]});
      }
    };
    pair_all(relations<Aggregate>(plan.root), relations<Aggregate>(other.root), {});
    pair_all(relations<Distinct>(plan.root), relations<Distinct>(other.root), {});
    pair_all(relations<Limit>(plan.root), relations<Limit>(other.root), {});
    pair_all(relations<Window>(plan.root), relations<Window>(other.root), {});
    pair_all(relations<Join>(plan.root), relations<Join>(other.root), {});
    pair_all(relations<Scan>(plan.root), relations<Scan>(other.root), order);
    certificate.groups = {certificate.pairs, back};
    certificate.pairs.resize(certificate.pairs.size() - dropped);
    return reject({.plan = plan,
                   .a = plan.root,
                   .b = other.root,
                   .how = how,
                   .assumptions = assumptions,
                   .certificate = certificate});
  }

  testing_support::PlanMaker maker_{R"(
    CREATE TABLE v(a INT, b INT);
    CREATE TABLE w(a INTEGER PRIMARY KEY, b INT NOT NULL, c TEXT COLLATE NOCASE);
    CREATE TABLE x(y, z REAL);
    CREATE TABLE u(k INT NOT NULL CHECK (k > 3), m INT CHECK (m IN (1, 2)), n TEXT CHECK (n LIKE 'a%'),
                   o INT NOT NULL CHECK (length(o) = 17));
  )"};
};

TEST_F(CorrespondenceTest, AcceptsWhatCorresponds) {
  EXPECT_EQ(rejected("SELECT p.a FROM v p, v q WHERE p.a = q.b AND q.a > 3",
                     "SELECT p.a FROM v p, v q WHERE q.b = p.a AND 3 < q.a"),
            std::nullopt);
  EXPECT_EQ(rejected("SELECT a FROM v WHERE a > 3 AND a > 1", "SELECT a FROM v WHERE a > 3"), std::nullopt);
  EXPECT_EQ(rejected("SELECT a FROM v WHERE a = b AND b = 5", "SELECT b FROM v WHERE a = 5 AND b = 5"), std::nullopt);
  EXPECT_EQ(rejected("SELECT p.a, q.b FROM v p LEFT JOIN v q ON p.a = q.a",
                     "SELECT p.a, q.b FROM v p LEFT JOIN v q ON q.a = p.a"),
            std::nullopt);
  EXPECT_EQ(rejected("SELECT a, sum(b) FROM v GROUP BY a", "SELECT a, sum(b) FROM v GROUP BY a"), std::nullopt);
  EXPECT_EQ(rejected("SELECT DISTINCT p.a FROM v p, v q WHERE p.a = q.a",
                     "SELECT DISTINCT p.a FROM v p, v q WHERE p.a = q.a"),
            std::nullopt);
  EXPECT_EQ(rejected("SELECT p.b FROM w p, w q WHERE p.a = q.a", "SELECT q.b FROM w p, w q WHERE p.a = q.a"),
            std::nullopt);
  EXPECT_EQ(rejected("SELECT a FROM v WHERE a > 3 AND a < 2", "SELECT v.b FROM v, w WHERE 0", {}, RowsCorrespond::none),
            std::nullopt);
}

TEST_F(CorrespondenceTest, EveryLeafHasItsOwn) {
  EXPECT_NE(rejected("SELECT p.a FROM v p, v q", "SELECT p.a FROM v p"), std::nullopt);
  EXPECT_NE(rejected("SELECT p.a FROM v p", "SELECT p.a FROM v p, v q"), std::nullopt);
  EXPECT_NE(rejected("SELECT p.a FROM v p, v q WHERE p.b > 1", "SELECT p.a FROM v p, v q WHERE p.b > 1", {1, 0}),
            std::nullopt);
  EXPECT_NE(rejected("SELECT p.a FROM v p, v q", "SELECT p.a FROM v p, v q", {0, 0}), std::nullopt);
  EXPECT_NE(rejected("SELECT p.a FROM v p, v q", "SELECT p.a FROM v p, v q", {}, RowsCorrespond::one_to_one, {}, 1),
            std::nullopt);
  EXPECT_NE(rejected("SELECT a FROM v", "SELECT a FROM w"), std::nullopt);
}

TEST_F(CorrespondenceTest, NoPartOfALeftJoinIsForgotten) {
  const std::string one_join = "SELECT q.b FROM v p LEFT JOIN v q ON p.a = q.a";
  const std::string two_joins = "SELECT q.b FROM v p LEFT JOIN (v q LEFT JOIN v r ON q.b = r.b) ON p.a = q.a";
  EXPECT_EQ(rejected(one_join, one_join), std::nullopt);
  EXPECT_EQ(rejected(two_joins, two_joins), std::nullopt);
  EXPECT_NE(rejected(one_join, two_joins), std::nullopt);
  EXPECT_NE(rejected(two_joins, one_join), std::nullopt);
  EXPECT_NE(rejected(one_join, "SELECT q.b FROM v p LEFT JOIN v q ON p.a = q.a AND q.b > 0"), std::nullopt);
  EXPECT_NE(rejected("SELECT q.b FROM v p LEFT JOIN v q ON p.a = q.a WHERE q.b > 0 OR p.a > 0", one_join),
            std::nullopt);
}

TEST_F(CorrespondenceTest, ConditionsMustFollow) {
  const auto wrong = [&](const std::string& a, const std::string& b) {
    EXPECT_NE(rejected("SELECT a FROM " + a, "SELECT a FROM " + b), std::nullopt) << a << "\n" << b;
    EXPECT_NE(rejected("SELECT a FROM " + b, "SELECT a FROM " + a), std::nullopt) << b << "\n" << a;
  };
  wrong("v WHERE a > 3", "v");
  wrong("v WHERE a > 3", "v WHERE a > 4");
  wrong("v WHERE a > 3", "v WHERE a >= 4");  // 3.5
  wrong("v WHERE a > 3 OR a IS NULL", "v WHERE a > 3");
  wrong("v WHERE a <> 3", "v WHERE NOT (a IS 3)");
  wrong("v WHERE a = b", "v WHERE a IS b");
  wrong("w WHERE c = 'x'", "w WHERE c = 'x' COLLATE BINARY");
  wrong("v WHERE a IN (1, 2)", "v WHERE a BETWEEN 1 AND 2");
  wrong("v WHERE EXISTS (SELECT 1 FROM w WHERE w.a = v.a)", "v");
  wrong("v WHERE EXISTS (SELECT 1 FROM w WHERE w.a = v.a)",
        "v WHERE EXISTS (SELECT 1 FROM w WHERE w.a = v.a AND w.b > 1)");
  wrong("v WHERE NOT EXISTS (SELECT 1 FROM w WHERE w.a = v.a)", "v WHERE NOT EXISTS (SELECT 1 FROM w WHERE w.a = v.b)");
}

TEST_F(CorrespondenceTest, ColumnsAndOperatorsMustBeTheSame) {
  const auto wrong = [&](const std::string& a, const std::string& b) {
    EXPECT_NE(rejected(a, b), std::nullopt) << a << "\n" << b;
  };
  wrong("SELECT a FROM v", "SELECT b FROM v");
  wrong("SELECT a, b FROM v", "SELECT b, a FROM v");
  wrong("SELECT sum(a) FROM v", "SELECT sum(b) FROM v");
  wrong("SELECT sum(a) FROM v", "SELECT avg(a) FROM v");
  wrong("SELECT sum(DISTINCT a) FROM v", "SELECT sum(a) FROM v");
  wrong("SELECT count(a) FROM v", "SELECT count(*) FROM v");
  wrong("SELECT count(*) FROM v GROUP BY a", "SELECT count(*) FROM v GROUP BY a, b");
  wrong("SELECT sum(a) FILTER (WHERE b > 1) FROM v", "SELECT sum(a) FROM v");
  wrong("SELECT a FROM v ORDER BY a LIMIT 3", "SELECT a FROM v ORDER BY a LIMIT 4");
  wrong("SELECT a FROM v ORDER BY a LIMIT 3", "SELECT a FROM v ORDER BY a DESC LIMIT 3");
  wrong("SELECT row_number() OVER (ORDER BY a) FROM w", "SELECT row_number() OVER (ORDER BY b) FROM w");
}

TEST_F(CorrespondenceTest, BothHaveNoRows) {
  const std::string never_a = "SELECT a FROM v WHERE a IS NULL AND a IN (1, 'x')";
  const std::string never_b = "SELECT b FROM v WHERE b IS NULL AND b = 1";
  const std::string no_partner = "SELECT a FROM w WHERE a NOT IN (SELECT a FROM w)";
  EXPECT_EQ(rejected(never_a, never_b), std::nullopt);
  EXPECT_EQ(rejected(never_b, never_a), std::nullopt);
  EXPECT_EQ(rejected("SELECT p.a FROM v p, v q WHERE p.a IS NULL AND p.a = 2 AND p.b > q.b", never_b), std::nullopt);
  EXPECT_EQ(rejected(never_a + " UNION ALL SELECT b FROM w", never_b + " UNION ALL SELECT b FROM w"), std::nullopt);
  // One of them may have rows.
  for (const std::string some :
       {"SELECT a FROM v WHERE a IS NULL", "SELECT a FROM v WHERE a IN (1, 'x')",
        "SELECT a FROM v WHERE b IS NULL AND a IN (1, 'x')", "SELECT p.a FROM v p, v q WHERE p.a IS NULL AND q.a = 2",
        "SELECT count(*) FROM v WHERE b IS NULL AND b = 1"}) {
    EXPECT_NE(rejected(never_a, some), std::nullopt) << some;
    EXPECT_NE(rejected(some, never_a), std::nullopt) << some;
    EXPECT_NE(rejected(some, no_partner), std::nullopt) << some;
  }
  EXPECT_NE(rejected(no_partner, "SELECT a FROM w WHERE a NOT IN (SELECT b FROM w)"), std::nullopt);
}

TEST_F(CorrespondenceTest, SetsAreContainedInEachOther) {
  const auto as_sets = RowsCorrespond::as_sets;
  EXPECT_EQ(rejected("SELECT DISTINCT p.a FROM v p", "SELECT p.a FROM v p", {}, as_sets), std::nullopt);
  EXPECT_NE(rejected("SELECT DISTINCT p.a FROM v p", "SELECT p.a FROM v p WHERE p.b > 1", {}, as_sets), std::nullopt);
  EXPECT_NE(rejected("SELECT DISTINCT p.a FROM v p", "SELECT p.b FROM v p", {}, as_sets), std::nullopt);
  EXPECT_NE(rejected("SELECT DISTINCT p.a FROM v p, w q WHERE p.a = q.a", "SELECT p.a FROM v p", {}, as_sets),
            std::nullopt);
  EXPECT_NE(rejected("SELECT a FROM v WHERE a > 3", "SELECT a FROM v WHERE 0", {}, RowsCorrespond::none), std::nullopt);
}

TEST_F(CorrespondenceTest, OnlyStatedAssumptionsAreMade) {
  const Assumption integers{Assumption::Kind::declared_type, "v", {"a"}, {}};
  const std::string a = "SELECT a FROM v WHERE a > 3";
  const std::string b = "SELECT a FROM v WHERE a >= 4";
  EXPECT_NE(rejected(a, b), std::nullopt);
  EXPECT_EQ(rejected(a, b, {}, RowsCorrespond::one_to_one, {integers}), std::nullopt);
}

TEST_F(CorrespondenceTest, ChecksAreAskedForByName) {
  const auto assuming = [](const char* table, const char* text) {
    return std::vector{Assumption{Assumption::Kind::check, table, {text}, {}}};
  };
  const auto how = RowsCorrespond::one_to_one;
  const char* all = "SELECT k FROM u";
  EXPECT_TRUE(rejected("SELECT k FROM u WHERE k > 3", all));
  EXPECT_EQ(rejected("SELECT k FROM u WHERE k > 3", all, {}, how, assuming("u", "k > 3")), std::nullopt);
  EXPECT_TRUE(rejected("SELECT k FROM u WHERE k > 4", all, {}, how, assuming("u", "k > 3"))) << "it says less";
  EXPECT_TRUE(rejected("SELECT k FROM u WHERE k > 4", all, {}, how, assuming("u", "k > 4"))) << "no such CHECK";
  EXPECT_TRUE(rejected("SELECT k FROM u WHERE k > 3", all, {}, how, assuming("w", "k > 3"))) << "of another table";
  EXPECT_TRUE(rejected("SELECT k FROM u WHERE k > 3", all, {}, how, assuming("u", "m IN (1, 2)"))) << "another one";
  const auto one_or_two = assuming("u", "m IN (1, 2)");
  EXPECT_TRUE(rejected("SELECT m FROM u WHERE m IN (1, 2)", "SELECT m FROM u", {}, how, one_or_two)) << "NULL passes";
  EXPECT_EQ(rejected("SELECT m FROM u WHERE m <> 1", "SELECT m FROM u WHERE m = 2", {}, how, one_or_two), std::nullopt);
  EXPECT_EQ(rejected("SELECT m FROM u WHERE m = 3", "SELECT m FROM u WHERE m = 4", {}, how, one_or_two), std::nullopt);
  // If no value that is tried makes it true, it proves nothing.
  EXPECT_TRUE(rejected("SELECT o FROM u WHERE o > 3", "SELECT o FROM u", {}, how, assuming("u", "length(o) = 17")));
}

}  // namespace
}  // namespace trustsql::equiv::checker
