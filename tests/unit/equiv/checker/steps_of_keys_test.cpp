// The checker on single steps of rules about keys: rows that they tell apart, groups that they join, columns that
// conditions fix.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

// --- windows

TEST_F(CheckerOnSteps, PartitionsOfOneRow) {
  accept_but(step("windows_of_keys", "SELECT age, count(*) OVER (PARTITION BY id) FROM p"), [&](RewriteStep& s) {
    first<Window>(s.before).calls.front().partition_by.front().expr = column(attribute("age"));
  });
  accept_but(step("windows_of_keys", "SELECT max(age) OVER (PARTITION BY id) FROM p"),
             [](RewriteStep& s) { first<Window>(s.before).calls.front().name = "sum"; });
  accept_but(step("windows_of_keys", "SELECT count(age) OVER (PARTITION BY id) FROM p"),
             [](RewriteStep& s) { first<IsNull>(s.after).negated = false; });
  // Not over other rows than the own one.
  accept_but(
      step("windows_of_keys",
           "SELECT count(*) OVER (PARTITION BY id ORDER BY age ROWS BETWEEN CURRENT ROW AND UNBOUNDED "
           "FOLLOWING) FROM p"),
      [](RewriteStep& s) { first<Window>(s.before).calls.front().frame->exclude = ast::FrameExclude::current_row; });
}

TEST_F(CheckerOnSteps, RanksWithoutTies) {
  const auto rank = step("windows_of_keys", "SELECT age, rank() OVER (ORDER BY age, id) FROM p");
  accept_but(rank, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Window>(*side).calls.front().order_by.pop_back();
  });
  accept_but(rank, [](RewriteStep& s) { first<Window>(s.before).calls.front().name = "percent_rank"; });
  accept_but(step("windows_of_keys", "SELECT count(*) OVER (ORDER BY id) FROM p"), [](RewriteStep& s) {
    Frame frame;
    frame.start.kind = ast::FrameBound::Kind::current_row;
    frame.end.kind = ast::FrameBound::Kind::unbounded_following;
    first<Window>(s.before).calls.front().frame = frame;
  });
}

TEST_F(CheckerOnSteps, NumbersOfRows) {
  auto limited =
      step("numbered_rows_to_limit",
           "SELECT max(age) FROM (SELECT age, row_number() OVER (ORDER BY age, id) AS n FROM p) WHERE n >= 2 "
           "AND n < 5");
  limited.demand = demand({attribute("age")}, true);
  accept_but(limited, [](RewriteStep& s) { first<Limit>(s.after).count = literal(std::int64_t{4}); });
  accept_but(limited, [](RewriteStep& s) { first<Limit>(s.after).offset = literal(std::int64_t{2}); });
  accept_but(limited, [](RewriteStep& s) { s.demand->order = Demand::Order::shown; });
  accept_but(limited, [](RewriteStep& s) { first<Sort>(s.after).keys.front().descending = true; });
  accept_but(limited, [](RewriteStep& s) {
    first<Window>(s.before).calls.front().order_by.pop_back();
    first<Sort>(s.after).keys.pop_back();
  });
  const auto sorted =
      step("sort_by_row_number", "SELECT id, age, row_number() OVER (ORDER BY age, id) AS n FROM p ORDER BY n");
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.after).keys.pop_back(); });
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.before).keys.front().descending = true; });
}

TEST_F(CheckerOnSteps, FirstRowByKey) {
  const auto row = step("top_row_by_key", "SELECT name FROM p ORDER BY id DESC LIMIT 1");
  accept_but(row, [](RewriteStep& s) { first<Sort>(s.before).keys.front().descending = false; });
  accept_but(row, [](RewriteStep& s) { first<Limit>(s.before).count = literal(std::int64_t{2}); });
  accept_but(row, [&](RewriteStep& s) {
    first<Sort>(s.before).keys.front().expr = column(attribute("name"));
    first<Compare>(s.after).left = column(attribute("name"));
  });
}

// --- groups

TEST_F(CheckerOnSteps, GroupsOfTheSameRows) {
  const auto merged = step("joined_groups_merging",
                           "SELECT n, m FROM (SELECT pid, count(*) AS n FROM c WHERE v > 1 GROUP BY pid) AS a JOIN "
                           "(SELECT pid, max(w) AS m FROM c WHERE v > 1 GROUP BY pid) AS b ON a.pid = b.pid");
  accept_but(merged, [](RewriteStep& s) { first<Aggregate>(s.after).calls.back().name = "min"; });
  accept_but(merged, [](RewriteStep& s) { first<Join>(s.before).on.clear(); });
  accept_but(merged, [](RewriteStep& s) { first<Filter>(s.before).conjuncts.clear(); });
  const auto left = step("joined_groups_merging",
                         "SELECT name, (SELECT sum(v) FROM c WHERE c.pid = p.id), (SELECT max(w) FROM c WHERE c.pid = "
                         "p.id) FROM p");
  accept_but(left, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::less; });
  accept_but(left, [](RewriteStep& s) { first<Aggregate>(s.after).calls.pop_back(); });
}

TEST_F(CheckerOnSteps, ColumnsThatConditionsFix) {
  const auto key = step("pinned_column", "SELECT w, v, count(*) FROM c WHERE v = 3 GROUP BY w, v");
  accept_but(key, [](RewriteStep& s) {
    for (auto& item : first<Project>(s.after).items) {
      if (item.expr.is<Literal>()) item.expr = literal(std::int64_t{4});
    }
  });
  accept_but(key, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::less; });
  accept_but(key, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  const auto extreme = step("pinned_column", "SELECT w, max(v) FROM c WHERE v = 3 GROUP BY w");
  accept_but(extreme, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().arguments = {literal("3")}; });
  accept_but(extreme, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Aggregate>(*side).calls.front().name = "sum";
  });
}

TEST_F(CheckerOnSteps, ConstantsInAggregates) {
  accept_but(step("constant_aggregate", "SELECT city, max(5) FROM p GROUP BY city"), [](RewriteStep& s) {
    for (auto& item : first<Project>(s.after).items) {
      if (item.expr.is<Literal>()) item.expr = literal(std::int64_t{6});
    }
  });
  // Without GROUP BY there may be no row.
  accept_but(step("constant_aggregate", "SELECT sum(1), max(age) FROM p"),
             [](RewriteStep& s) { first<Case>(s.after).branches.front().result = literal(std::int64_t{0}); });
}

TEST_F(CheckerOnSteps, AggregatesOfNothing) {
  RewriteStep single;
  single.rule = "empty_relation";
  plan_ = maker_.plan("SELECT count(*), max(age) FROM p");
  auto aggregate = first<Aggregate>((single.before = plan_.root));
  aggregate.input = Rel{Values{outputs(*aggregate.input), {}}};
  Project row;
  row.items = {{aggregate.calls[0].id, literal(std::int64_t{0})}, {aggregate.calls[1].id, literal({})}};
  row.input = Rel{Values{{}, {{}}}};
  single.before = Rel{aggregate};
  single.after = Rel{row};
  accept_but(single, [](RewriteStep& s) { first<Project>(s.after).items.back().expr = literal(std::int64_t{0}); });
  accept_but(single, [](RewriteStep& s) { first<Project>(s.after).input = Rel{Values{{}, {}}}; });
}

TEST_F(CheckerOnSteps, SumsBesideTheirCounts) {
  const auto sum =
      step("sum_or_null", "SELECT CASE WHEN count(id) = 0 THEN NULL ELSE coalesce(sum(id), 0) END FROM p GROUP BY age");
  accept_but(sum, [](RewriteStep& s) { first<Literal>(s.before).value = std::int64_t{1}; });
  accept_but(sum, [&](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      for (auto& call : first<Aggregate>(*side).calls) {
        if (call.name == "count") call.arguments = {column(attribute("age"))};
      }
    }
  });
}

TEST_F(CheckerOnSteps, GroupsThatAreCounted) {
  const auto counted =
      step("partial_aggregate_merging",
           "SELECT v, count(*), sum(n) FROM (SELECT v, w, count(*) AS n FROM c GROUP BY v, w) GROUP BY "
           "v");
  accept_but(counted, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().distinct = false; });
}

// --- joins

TEST_F(CheckerOnSteps, ExtremesThatAskForAValue) {
  auto semi = step("extreme_to_semi_join", "SELECT name FROM p WHERE age > (SELECT min(v) FROM c)");
  semi.demand = demand({attribute("name")}, true);
  accept_but(semi, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Compare>(*side).op = CompareOp::less;
  });
  accept_but(semi, [](RewriteStep& s) { first<Aggregate>(s.before).calls.front().name = "max"; });
  accept_but(semi, [](RewriteStep& s) { s.demand->needed |= output_set(Rel{first<Aggregate>(s.before)}); });
}

TEST_F(CheckerOnSteps, DistinctAboveJoins) {
  const auto joined =
      step("distinct_above_left_join",
           "SELECT * FROM (SELECT DISTINCT city FROM p) LEFT JOIN (SELECT DISTINCT name FROM p) ON name "
           "= city");
  accept_but(joined, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) first<Join>(*side).type = JoinType::full;
  });
  accept_but(joined, [](RewriteStep& s) {
    auto& join = first<Join>(s.before);
    join.left = Rel(*join.left->as<Distinct>()->input);
  });
}

}  // namespace
}  // namespace trustsql::equiv::checker
