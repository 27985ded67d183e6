// The checker on single steps of rules that ask for rows: of groups, of unions, of joins.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST_F(CheckerOnSteps, ExtremesBeyondABound) {
  const auto extreme = [&](const std::string& condition) {
    auto of_rule = step("extreme_to_count", "SELECT v FROM c GROUP BY v HAVING " + condition);
    of_rule.demand = demand({first<GroupKey>(of_rule.before).id});
    return of_rule;
  };
  accept_but(extreme("max(cid) > 3"), [](RewriteStep& s) { first<AggregateCall>(s.before).name = "min"; });
  accept_but(extreme("max(cid) > 3"), [](RewriteStep& s) { first<AggregateCall>(s.before).collation = "NOCASE"; });
  accept_but(extreme("max(cid) > 3"),
             [](RewriteStep& s) { *first<Compare>(s.before).right = literal(std::int64_t{7}); });
  accept_but(extreme("max(cid) > 3"), [](RewriteStep& s) { first<AggregateCall>(s.after).filter = literal(1.0); });
  accept_but(extreme("max(cid) > 3"), [](RewriteStep& s) { s.demand->needed.add(first<AggregateCall>(s.before).id); });
  accept_but(extreme("min(w) >= 3"), [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::equal; });
  // Over NULLs alone the extreme is NULL.
  auto none = extreme("max(w) < 3");
  accept_but(none, [&](RewriteStep& s) {
    const Expr w = first<AggregateCall>(s.before).arguments.front();
    const Expr v = column(attribute("v"));
    for (auto* side : {&s.before, &s.after}) {
      walk(std::get<Rel>(*side), [&](Expr& expr) {
        if (expr == w) expr = v;
      });
    }
  });
  accept_but(none, [](RewriteStep& s) { first<AggregateCall>(s.before).filter = literal(std::int64_t{1}); });
  // Truth values.
  accept_but(extreme("max(v = 3) = 1"), [](RewriteStep& s) { first<AggregateCall>(s.before).name = "min"; });
  accept_but(extreme("max(v = 3) = 1"),
             [](RewriteStep& s) { first<AggregateCall>(s.before).arguments.front() = column(0); });
  accept_but(extreme("sum(v = 3) > 0"), [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = true; });
  accept_but(extreme("sum(v = 3) > 0"),
             [](RewriteStep& s) { *first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(extreme("max(w = 3) = 0"), [](RewriteStep& s) { first<AggregateCall>(s.before).name = "min"; });
  accept_but(extreme("min(w = 3) = 1"), [](RewriteStep& s) { first<AggregateCall>(s.before).name = "max"; });
}

TEST_F(CheckerOnSteps, RowsThatGroupsCount) {
  const auto counted = [&](const std::string& condition) {
    return step("counted_rows_to_semi_join", "SELECT v FROM c GROUP BY v HAVING " + condition);
  };
  auto none = counted("count(*) FILTER (WHERE w > 3) = 0");
  accept_but(none, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
  accept_but(none, [](RewriteStep& s) { first<Join>(s.after).on.front().as<Compare>()->op = CompareOp::equal; });
  accept_but(none, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(none, [](RewriteStep& s) { first<Join>(s.after).right->as<Filter>()->conjuncts.clear(); });
  accept_but(none, [](RewriteStep& s) { first<GroupKey>(s.before).collation = "NOCASE"; });
  accept_but(none,
             [](RewriteStep& s) { first<Filter>(s.before).conjuncts.front().as<Compare>()->op = CompareOp::less; });
  accept_but(none, [](RewriteStep& s) {
    *first<Filter>(s.before).conjuncts.front().as<Compare>()->right = literal(std::int64_t{1});
  });
  accept_but(counted("count(w) FILTER (WHERE w > 3) > 0 AND count(*) > 1"),
             [](RewriteStep& s) { first<Join>(s.after).type = JoinType::anti; });
  auto all = counted("count(*) FILTER (WHERE w > 3) = count(*)");
  accept_but(all, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
  accept_but(
      all, [](RewriteStep& s) { first<Filter>(s.before).conjuncts.front().as<Compare>()->op = CompareOp::not_equal; });
  // What is not true may be NULL.
  accept_but(counted("count(*) FILTER (WHERE v > 3) = count(*)"), [](RewriteStep& s) {
    auto& condition = first<Join>(s.after).right->as<Filter>()->conjuncts.front();
    condition = negation(*condition.as<IsTruth>()->operand);
  });
}

TEST_F(CheckerOnSteps, DistinctValuesOfJoins) {
  auto keys = step("counted_join_to_semi_join", "SELECT count(DISTINCT p.id), max(p.age) FROM p JOIN c ON c.v = p.age");
  accept_but(keys, [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = false; });
  accept_but(keys, [](RewriteStep& s) { first<AggregateCall>(s.before).name = "sum"; });
  accept_but(keys, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(keys, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<AggregateCall>(*side).arguments.front() = column(attribute("age"));
  });
  auto equated =
      step("counted_join_to_semi_join", "SELECT count(DISTINCT c.v) FROM p JOIN c ON c.v = p.id AND c.w > 1");
  accept(equated);
}

TEST_F(CheckerOnSteps, ExistenceOfUnions) {
  const std::string some =
      "SELECT id FROM p WHERE EXISTS (SELECT 1 FROM c WHERE pid = p.id AND v = 1) OR EXISTS "
      "(SELECT 1 FROM c WHERE pid = p.id AND w = 2)";
  auto either = step("existence_union", some);
  accept_but(either, [](RewriteStep& s) { first<Exists>(s.after).negated = true; });
  accept_but(either, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.pop_back(); });
  accept_but(either, [](RewriteStep& s) {
    auto& terms = first<Or>(s.after).terms;
    terms.pop_back();
    terms.push_back(literal(std::int64_t{1}));
  });
  accept_but(either, [](RewriteStep& s) { first<Or>(s.before).terms.push_back(literal(std::int64_t{1})); });
  auto in = step("existence_union", "SELECT id FROM p WHERE id NOT IN (SELECT pid FROM c UNION SELECT w FROM c)");
  accept_but(in, [](RewriteStep& s) { std::get<Expr>(s.after).as<And>()->terms.pop_back(); });
  accept_but(in, [](RewriteStep& s) {
    auto terms = std::get<Expr>(s.after).as<And>()->terms;
    s.after = disjunction(std::move(terms));
  });
  // As texts, 1 and 1.0 differ, but the union has merged them.
  accept_but(in, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      walk(std::get<Expr>(*side), [](InSubquery& test) { test.how.front().affinity = Affinity::text; });
    }
  });
}

TEST_F(CheckerOnSteps, SumsWithoutNull) {
  auto sum = step("coalesced_count", "SELECT v, coalesce(sum(v > 2), 0) FROM c GROUP BY v");
  accept_but(sum, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().filter = {}; });
  accept_but(sum, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().distinct = true; });
  accept_but(sum, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).calls.front().arguments.front() = column(0);
  });
  accept_but(sum, [](RewriteStep& s) {
    walk(std::get<Rel>(s.before), [](Function& call) { call.arguments.back() = literal(std::int64_t{1}); });
  });
  auto choice = step("coalesced_count", "SELECT coalesce(sum(CASE WHEN v > 2 THEN 1 ELSE 0 END), 0) FROM c");
  accept(choice);
}

// A count of values over a left join is 0 for a row without a match.
TEST_F(CheckerOnSteps, CountsOverLeftJoins) {
  const std::string of_values = "SELECT p.id, (SELECT count(v) FROM c WHERE c.pid = p.id) FROM p";
  auto pulled = step("aggregate_pull_up", of_values);
  accept_but(pulled, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().distinct = true; });
  accept_but(pulled, [](RewriteStep& s) { first<Aggregate>(s.after).calls.pop_back(); });
  accept_but(pulled, [&](RewriteStep& s) {
    first<Aggregate>(s.after).calls.back().arguments.front() = column(attribute("v"));
  });
  accept_but(pulled, [](RewriteStep& s) { first<Case>(s.after).branches.front().result = literal(std::int64_t{0}); });
  // It would count the rows without a match.
  accept_but(pulled, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after})
      first<Aggregate>(*side).calls.front().arguments.front() = literal(std::int64_t{1});
  });
  auto coalesced = step("coalesced_count", of_values);
  accept_but(coalesced,
             [](RewriteStep& s) { first<Join>(s.before).type = first<Join>(s.after).type = JoinType::full; });
  accept_but(coalesced, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      first<Aggregate>(*side).calls.front().arguments.clear();
    }
  });
  accept_but(coalesced, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).calls.back().distinct = true;
  });
  // A column that a match may leave NULL.
  accept_but(coalesced, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      first<Aggregate>(*side).calls.back().arguments.front() = column(attribute("v"));
      first<Aggregate>(*side).calls.front().arguments.front() = column(attribute("pid"));
    }
  });
}

TEST_F(CheckerOnSteps, DifferencesOfCounts) {
  auto missing = step("count_difference", "SELECT pid, count(*) - count(v) FROM c GROUP BY pid");
  accept_but(missing, [](RewriteStep& s) { first<IsNull>(s.after).negated = true; });
  accept_but(missing, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).calls[1].distinct = true;
  });
  accept_but(missing, [](RewriteStep& s) { first<Binary>(s.before).op = ast::BinaryOp::add; });
  accept_but(missing, [](RewriteStep& s) { std::swap(first<Binary>(s.before).left, first<Binary>(s.before).right); });
  accept_but(missing, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  auto of_groups = step("count_difference",
                        "SELECT pid FROM c GROUP BY pid HAVING count(*) - count(CASE WHEN v > 1 THEN 1 END) > 2");
  accept_but(of_groups, [](RewriteStep& s) { first<IsTruth>(s.after).negated = false; });
  accept_but(of_groups, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
}

TEST_F(CheckerOnSteps, CountsThatAreCompared) {
  auto compared = step("coalesced_count", "SELECT id FROM p WHERE (SELECT count(v) FROM c WHERE c.pid = p.id) > 2");
  accept_but(compared, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      first<Filter>(*side).conjuncts.front().as<Compare>()->op = CompareOp::less;
    }
  });
  accept_but(compared, [](RewriteStep& s) {
    first<Filter>(s.after).conjuncts.front().as<Compare>()->right = literal(std::int64_t{4});
  });
}

TEST_F(CheckerOnSteps, AveragesOfCounts) {
  auto average = step("average_of_counts", "SELECT avg(n) FROM (SELECT count(v) AS n FROM c GROUP BY pid)");
  const auto call = [](RewriteStep& s, std::size_t place) -> AggregateCall& {
    return first<Aggregate>(s.after).calls[place];
  };
  accept_but(average, [&](RewriteStep& s) { call(s, 0).arguments.front() = column(attribute("pid")); });
  accept_but(average, [&](RewriteStep& s) { call(s, 1).arguments.front() = column(attribute("v")); });
  accept_but(average, [&](RewriteStep& s) { call(s, 1).distinct = false; });
  accept_but(average, [&](RewriteStep& s) { call(s, 1).collation = "NOCASE"; });
  accept_but(average, [](RewriteStep& s) { std::swap(first<Binary>(s.after).left, first<Binary>(s.after).right); });
  accept_but(average, [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = true; });
}

TEST_F(CheckerOnSteps, AveragesOfConditions) {
  auto share =
      step("average_of_conditions", "SELECT pid, avg(CASE WHEN v > 2 THEN 1.0 ELSE 0 END) FROM c GROUP BY pid");
  accept_but(share, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().filter = {}; });
  accept_but(share, [&](RewriteStep& s) {
    auto& rows = first<Aggregate>(s.after).calls.back();
    rows.arguments.push_back(column(attribute("v")));
  });
  accept_but(share, [](RewriteStep& s) { first<Binary>(s.after).left = Expr(*first<Cast>(s.after).operand); });
  accept_but(share, [](RewriteStep& s) { first<Case>(s.before).otherwise = literal(std::int64_t{2}); });
  accept_but(share, [](RewriteStep& s) { first<Aggregate>(s.before).calls.front().distinct = true; });
  // NULL is not 0.
  accept_but(share, [](RewriteStep& s) { first<Case>(s.before).otherwise = literal({}); });
}

TEST_F(CheckerOnSteps, SumsOverCounts) {
  auto average =
      step("sum_over_count", "SELECT pid, sum(CAST(v AS REAL)) / count(CAST(v AS REAL)) FROM c GROUP BY pid");
  accept_but(average, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().distinct = true; });
  accept_but(average, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().name = "total"; });
  // Integers are added exactly.
  accept_but(average, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      for (auto& call : first<Aggregate>(*side).calls) call.arguments.front() = column(attribute("v"));
    }
  });
  accept_but(average, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      for (auto& call : first<Aggregate>(*side).calls) {
        if (call.name == "count") call.arguments.clear();
      }
    }
  });
}

TEST_F(CheckerOnSteps, ConditionsThatBecomeFilters) {
  auto both = step("scalar_aggregate_merging",
                   "SELECT (SELECT count(*) FROM c WHERE v > 1), (SELECT sum(w) FROM c WHERE v > 2)");
  accept_but(both, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().filter = {}; });
  accept_but(both, [](RewriteStep& s) {
    auto& calls = first<Aggregate>(s.after).calls;
    std::swap(calls.front().filter, calls.back().filter);
  });
}

}  // namespace
}  // namespace trustsql::equiv::checker
