// The checker on single steps of rules that move conditions below groups, or drop conditions below them.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST_F(CheckerOnSteps, TestsForNullBelowGroups) {
  const auto by_key = step("unneeded_null_test",
                           "SELECT name, n FROM p JOIN (SELECT age AS k, count(*) AS n FROM p WHERE age IS NOT NULL "
                           "GROUP BY age, city) AS d ON d.k > p.id");
  accept_but(by_key, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Compare>(*side).op = CompareOp::is_not;
  });
  accept_but(by_key, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Join>(*side).type = JoinType::full;
  });
  accept_but(by_key, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).keys.erase(first<Aggregate>(*side).keys.begin());
  });
  accept_but(by_key, [](RewriteStep& s) { first<IsNull>(s.before).negated = false; });
  accept_but(by_key, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().name = "total"; });
  // Both sides of a semi-join, but only one of an anti-join.
  for (const auto type : {JoinType::left, JoinType::anti}) {
    auto other = by_key;
    for (auto* side : {&other.before, &other.after}) {
      auto& join = first<Join>(*side);
      join.type = type;
      if (join.right->is<Scan>()) std::swap(join.left, join.right);
    }
    accept_but(other, [](RewriteStep& s) {
      for (auto* side : {&s.before, &s.after}) std::swap(first<Join>(*side).left, first<Join>(*side).right);
    });
  }
}

TEST_F(CheckerOnSteps, TestsForNullOfWhatIsAggregated) {
  const auto average =
      step("unneeded_null_test",
           "SELECT name FROM p JOIN (SELECT pid, avg(v) AS m FROM c WHERE v IS NOT NULL AND w > 1 GROUP "
           "BY pid) AS d ON d.m > p.age");
  for (const auto* name : {"count", "total", "group_concat"}) {
    accept_but(average, [&](RewriteStep& s) {
      for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).calls.front().name = name;
    });
  }
  accept_but(average, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after})
      first<Aggregate>(*side).calls.front().arguments.front() = column(attribute("w"));
  });
  // A test that some other aggregate does not ignore.
  accept_but(average, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      auto& calls = first<Aggregate>(*side).calls;
      calls.push_back(calls.front());
      calls.back().id = attribute("w");
      calls.back().name = "count";
      calls.back().arguments.clear();
    }
  });
}

TEST_F(CheckerOnSteps, TestsForNullBelowPartitions) {
  const auto ranked =
      step("unneeded_null_test",
           "SELECT name, r FROM p JOIN (SELECT v, ntile(3) OVER (PARTITION BY v ORDER BY w) AS r FROM c "
           "WHERE v IS NOT NULL) AS d ON d.v > p.age");
  accept_but(ranked, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Window>(*side).calls.front().partition_by.clear();
  });
}

TEST_F(CheckerOnSteps, SemiJoinsBelowGroups) {
  const auto semi =
      step("semi_join_below_groups",
           "SELECT * FROM (SELECT age, city, count(*) AS n FROM p GROUP BY age, city HAVING count(*) > 1) "
           "AS d WHERE EXISTS (SELECT 1 FROM c WHERE c.v = d.age)");
  accept_but(semi, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::anti; });
  accept_but(semi, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
  accept_but(semi, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(semi, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      const auto count = first<Aggregate>(*side).calls.front().id;
      for (auto& condition : first<Join>(*side).on)
        substitute(condition, [&, of_count = column(count)](AttributeId id) {
          return id == attribute("age") ? &of_count : nullptr;
        });
    }
  });
  accept_but(semi, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      for (auto& key : first<Aggregate>(*side).keys) key.collation = "NOCASE";
    }
  });
  accept_but(semi, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).grouped = false;
  });
  const auto window = step("semi_join_below_groups",
                           "SELECT * FROM (SELECT age, rank() OVER (PARTITION BY age ORDER BY id) AS r FROM p) AS d "
                           "WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.v = d.age)");
  accept_but(window, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Window>(*side).calls.front().partition_by.clear();
  });
}

// A semi-join with another use of the same table asks something of the row itself.
TEST_F(CheckerOnSteps, RowsThatMatchThemselves) {
  auto semi = step("self_join_removal",
                   "SELECT name FROM p WHERE EXISTS (SELECT 1 FROM p AS q WHERE q.id = p.id AND q.age > 3)");
  semi.demand = demand({attribute("name")}, true);
  accept_but(semi, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::anti; });
  accept_but(semi, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
  accept_but(semi, [](RewriteStep& s) { first<Join>(s.before).on.clear(); });
  auto anti = step("self_join_removal",
                   "SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM p AS q WHERE q.id = p.id AND q.age > 3)");
  anti.demand = demand({attribute("name")}, true);
  accept_but(anti, [](RewriteStep& s) { first<IsTruth>(s.after).truth = false; });
  accept_but(anti, [](RewriteStep& s) {
    first<Filter>(s.after).conjuncts.front() = Expr{Not{*first<IsTruth>(s.after).operand}};
  });
}

TEST_F(CheckerOnSteps, GroupsOfRowsJoinedWithTheirGroups) {
  const auto merged = step(
      "groups_of_joined_rows",
      "SELECT p.id, sum(c.v) FROM p JOIN c ON c.pid = p.id JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS "
      "g ON g.pid = p.id WHERE g.n > 2 AND p.age > 1 GROUP BY p.id");
  const auto groups = [](RewriteStep& s) -> Aggregate& {
    Aggregate* found = nullptr;
    walk(std::get<Rel>(s.before), [&](Aggregate& each) {
      if (!each.calls.empty() && each.calls.front().name == "count") found = &each;
    });
    return *found;
  };
  accept_but(merged, [&](RewriteStep& s) { groups(s).calls.front().distinct = true; });
  accept_but(merged, [&](RewriteStep& s) { groups(s).grouped = false; });
  accept_but(merged, [&](RewriteStep& s) { groups(s).keys.front().expr = column(attribute("v")); });
  accept_but(merged, [&](RewriteStep& s) {
    groups(s).input = Rel{Filter{*groups(s).input, {literal(std::int64_t{0})}}};
  });
  accept_but(merged, [](RewriteStep& s) {
    auto& having = first<Filter>(s.after).conjuncts.front();
    *having.as<Compare>() = {CompareOp::less, {}, *having.as<Compare>()->left, *having.as<Compare>()->right};
  });
  accept_but(merged, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  accept_but(merged, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().filter = literal(std::int64_t{1}); });
  // Not all rows of the group are there, or several times, or the groups are others.
  for (const auto* const sql :
       {"SELECT p.id, sum(c.v) FROM p JOIN c ON c.pid = p.id AND c.w > 1 JOIN (SELECT pid, count(*) AS n FROM c GROUP "
        "BY "
        "pid) AS g ON g.pid = p.id WHERE g.n > 2 GROUP BY p.id",
        "SELECT p.age, sum(c.v) FROM p JOIN c ON c.w = p.age JOIN (SELECT w, count(*) AS n FROM c GROUP BY w) AS g ON "
        "g.w = p.age WHERE g.n > 2 GROUP BY p.age",
        "SELECT p.id, c.v, sum(c.w) FROM p JOIN c ON c.pid = p.id JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) "
        "AS g ON g.pid = p.id WHERE g.n > 2 GROUP BY p.id, c.v",
        "SELECT p.city, sum(c.w) FROM p JOIN c ON c.pid = p.id JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS "
        "g "
        "ON g.pid = p.id WHERE g.n > 2 GROUP BY p.city"})
    EXPECT_THROW(step("groups_of_joined_rows", sql), std::runtime_error) << sql;
}

}  // namespace
}  // namespace trustsql::equiv::checker
