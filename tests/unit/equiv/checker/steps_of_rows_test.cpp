// The checker on single steps of rules about filters, columns, duplicates, order, sets, subqueries and joins.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

// --- filters and columns

TEST_F(CheckerOnSteps, DroppedFilter) {
  accept_but(step("conjunct_simplification", "SELECT id FROM p WHERE age = 1 AND name = 'a' AND age = 1"),
             [](RewriteStep& s) { first<Filter>(s.after).conjuncts.pop_back(); });
  accept_but(step("range_merging", "SELECT id FROM p WHERE age > 1 AND age > 5 AND name = 'a'"), [](RewriteStep& s) {
    auto& conjuncts = first<Filter>(s.after).conjuncts;
    for (auto& each : conjuncts) {
      if (auto* bound = each.as<Compare>(); bound != nullptr && bound->op != CompareOp::equal)
        bound->right = literal(std::int64_t{1});
    }
  });
}

// A number is neither at least nor equal to a text, whatever the column holds.
TEST_F(CheckerOnSteps, ConditionsThatAreNeverTrue) {
  for (const auto* const sql : {"SELECT id FROM p WHERE age / 2 >= '1' AND age / 2 <= '1'",
                                "SELECT id FROM p WHERE typeof(age) <= '' AND typeof(age) <= '2' AND age > 3"}) {
    accept_but(step("range_merging", sql),
               [](RewriteStep& s) { first<Filter>(s.after).conjuncts.back().as<Compare>()->right = literal("3"); });
  }
  accept_but(step("range_merging", "SELECT id FROM p WHERE age / 2 >= '1' AND age / 2 <= '1'"),
             [](RewriteStep& s) { first<Filter>(s.after).conjuncts.back().as<Compare>()->op = CompareOp::less; });
}

TEST_F(CheckerOnSteps, ConstantsInThePlaceOfColumns) {
  const auto replaced = step("transitive_equalities", "SELECT id FROM p WHERE age = 5 AND id + age < 10");
  accept_but(replaced, [](RewriteStep& s) { first<Binary>(s.after).right = literal(std::int64_t{6}); });
  accept_but(replaced, [](RewriteStep& s) {
    std::erase_if(first<Filter>(s.after).conjuncts,
                  [](const Expr& each) { return each.as<Compare>()->op == CompareOp::equal; });
  });
  // 5.0 / 2 is 2.5.
  const auto half = step("transitive_equalities", "SELECT id FROM p WHERE age = 5 AND age / 2 <= 2");
  accept(half);
  plan_.attributes[attribute("age")].types = types::any;
  plan_.attributes[attribute("age")].storage = Affinity::none;
  reject(half);
}

TEST_F(CheckerOnSteps, AttributeThatIsNotVisible) {
  accept_but(step("conjunct_simplification", "SELECT id FROM p WHERE age = 1 AND name = 'a' AND age = 1"),
             [&](RewriteStep& s) {
               const auto hidden = plan_.add_attribute({.name = "hidden"});
               first<Filter>(s.after).conjuncts.push_back(compare(CompareOp::is, column(hidden), column(hidden)));
             });
}

TEST_F(CheckerOnSteps, ColumnThatIsNeeded) {
  auto pruned = step("column_pruning", "SELECT name FROM (SELECT name, age FROM p) AS q");
  pruned.demand = demand({attribute("name")});
  accept_but(pruned, [&](RewriteStep& s) { s.demand = demand({attribute("name"), attribute("age")}); });
  accept_but(pruned, [](RewriteStep& s) { s.demand->places = true; });
}

TEST_F(CheckerOnSteps, ConditionOnTheSideOfNulls) {
  // Conditions in WHERE on the right side of a left join may not move into the join.
  auto pushed = step("filter_pushdown_join", "SELECT p.id, c.v FROM p LEFT JOIN c ON c.pid = p.id WHERE p.age = 1");
  accept_but(pushed, [&](RewriteStep& s) {
    first<Filter>(s.before).conjuncts.push_back(is_null(column(attribute("v"))));
    auto& join = first<Join>(s.after);
    join.on.push_back(is_null(column(attribute("v"))));
  });
}

TEST_F(CheckerOnSteps, ColumnsThatAreComputedOtherwise) {
  accept_but(step("filter_pushdown_project", "SELECT * FROM (SELECT age + 1 AS a FROM p) WHERE a > 30"),
             [](RewriteStep& s) { first<Compare>(s.after).right = literal(std::int64_t{31}); });
}

// --- duplicates, order, limits

TEST_F(CheckerOnSteps, DistinctWithoutKey) {
  auto removed = step("distinct_removal", "SELECT DISTINCT id, age FROM p");
  accept(removed);
  RewriteStep wrong;
  wrong.rule = "distinct_removal";
  plan_ = maker_.plan("SELECT DISTINCT age FROM p");
  wrong.before = plan_.root;
  wrong.after = *plan_.root.as<Distinct>()->input;
  reject(wrong);
  wrong.demand = demand(output_set(plan_.root));
  accept(wrong);
}

TEST_F(CheckerOnSteps, OrderThatIsSeen) {
  RewriteStep removed;
  removed.rule = "sort_removal";
  plan_ = maker_.plan("SELECT id FROM p ORDER BY age");
  auto& sort = first<Sort>((removed.before = plan_.root));
  removed.after = *sort.input;
  removed.before = Rel{Sort{sort}};
  removed.demand = demand(output_set(std::get<Rel>(removed.after)), true);
  accept_but(removed, [](RewriteStep& s) { s.demand->order = Demand::Order::shown; });
  auto reduced = step("sort_key_reduction", "SELECT id FROM p ORDER BY id, age");
  accept_but(reduced, [](RewriteStep& s) { std::swap(first<Sort>(s.before).keys[0], first<Sort>(s.before).keys[1]); });
}

TEST_F(CheckerOnSteps, LimitThatCuts) {
  auto removed = step("limit_simplification", "SELECT id FROM p LIMIT -1");
  accept_but(removed, [](RewriteStep& s) { first<Limit>(s.before).count = literal(std::int64_t{5}); });
  auto single = step("limit_simplification", "SELECT count(*) FROM p LIMIT 1");
  accept_but(single, [](RewriteStep& s) { first<Limit>(s.before).count = literal(std::int64_t{0}); });
}

TEST_F(CheckerOnSteps, ExtremeThatSkipsNulls) {
  auto turned = step("top_row_to_extreme", "SELECT (SELECT age FROM p ORDER BY age DESC LIMIT 1)");
  accept_but(turned, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "min"; });
  accept_but(turned, [](RewriteStep& s) {
    first<Sort>(s.before).keys.front().descending = false;
    first<Sort>(s.before).keys.front().nulls_first = true;
    first<AggregateCall>(s.after).name = "min";
  });
}

TEST_F(CheckerOnSteps, FirstRanks) {
  auto ranked =
      step("rank_to_extreme",
           "SELECT cid FROM (SELECT cid, rank() OVER (PARTITION BY pid ORDER BY v DESC) AS n FROM c) WHERE n = 1");
  accept_but(ranked, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "min"; });
  accept_but(ranked, [](RewriteStep& s) { first<Join>(s.after).on.pop_back(); });
  accept_but(ranked, [](RewriteStep& s) { first<Join>(s.after).on.erase(first<Join>(s.after).on.begin()); });
  accept_but(ranked, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{2}); });
  accept_but(ranked, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::greater_equal; });
  // Ties: several rows may be first.
  accept_but(ranked, [](RewriteStep& s) { first<WindowCall>(s.before).name = "row_number"; });
  // NULL equals the extreme of NULLs.
  accept_but(ranked, [](RewriteStep& s) { first<Join>(s.after).on.back().as<Compare>()->op = CompareOp::equal; });
  // MIN skips the NULLs that come first.
  accept_but(ranked, [](RewriteStep& s) {
    auto& key = first<WindowCall>(s.before).order_by.front();
    key.descending = false;
    key.nulls_first = true;
    first<AggregateCall>(s.after).name = "min";
  });
}

TEST_F(CheckerOnSteps, AggregatesOfPartitions) {
  auto counted = step("window_to_groups", "SELECT cid, sum(v) FILTER (WHERE v > 1) OVER (PARTITION BY v) AS n FROM c");
  accept_but(counted, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "total"; });
  accept_but(counted, [](RewriteStep& s) { first<AggregateCall>(s.after).filter = {}; });
  accept_but(counted, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(counted, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::left; });
  // Rows with NULL have a partition of their own.
  accept_but(counted, [](RewriteStep& s) { first<Join>(s.after).on.back().as<Compare>()->op = CompareOp::equal; });
  accept_but(counted, [](RewriteStep& s) { first<WindowCall>(s.before).order_by.push_back({column(1)}); });
  accept_but(counted, [](RewriteStep& s) { first<WindowCall>(s.before).partition_by.front().collation = "NOCASE"; });
  auto all = step("window_to_groups", "SELECT cid, count(*) OVER () AS n FROM c");
  accept_but(all, [](RewriteStep& s) { first<Aggregate>(s.after).grouped = true; });
}

TEST_F(CheckerOnSteps, FirstRowsAsGroups) {
  auto first_rows =
      step("first_row_to_group",
           "SELECT pid, v FROM (SELECT pid, v, row_number() OVER (PARTITION BY pid ORDER BY v DESC, cid) AS "
           "n FROM c) WHERE n = 1");
  first_rows.demand = demand(output_set(std::get<Rel>(first_rows.after)), true);
  accept_but(first_rows, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "min"; });
  accept_but(first_rows, [](RewriteStep& s) { first<Aggregate>(s.after).grouped = false; });
  accept_but(first_rows, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  accept_but(first_rows, [](RewriteStep& s) { first<Aggregate>(s.after).keys.front().collation = "NOCASE"; });
  accept_but(first_rows, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{2}); });
  accept_but(first_rows, [](RewriteStep& s) { first<WindowCall>(s.before).partition_by.clear(); });
  accept_but(first_rows, [](RewriteStep& s) { first<WindowCall>(s.before).order_by.front().collation = "NOCASE"; });
  // Each tied row has the first rank.
  accept_but(first_rows, [](RewriteStep& s) { first<WindowCall>(s.before).name = "rank"; });
  // MAX is never NULL where NULLs come first.
  accept_but(first_rows, [](RewriteStep& s) { first<WindowCall>(s.before).order_by.front().nulls_first = true; });
  // Another column of the first row.
  accept_but(first_rows, [](RewriteStep& s) {
    auto& items = first<Project>(s.after).items;
    items.front().expr = items.back().expr;
  });
  auto ranked = step("first_row_to_group",
                     "SELECT DISTINCT v FROM (SELECT v, rank() OVER (ORDER BY v DESC) AS n FROM c) WHERE n = 1");
  ranked.demand = demand(output_set(std::get<Rel>(ranked.after)));
  accept_but(ranked, [](RewriteStep& s) { s.demand->repeats = true; });
  accept_but(ranked, [](RewriteStep& s) {
    auto& order = first<WindowCall>(s.before).order_by;
    order.push_back(order.front());
  });
}

TEST_F(CheckerOnSteps, RowsOfPartitionsAsGroups) {
  auto grouped = step("window_rows_to_groups",
                      "SELECT DISTINCT pid, sum(v) FILTER (WHERE v > 1) OVER (PARTITION BY pid) AS n FROM c");
  grouped.demand = demand(output_set(std::get<Rel>(grouped.after)));
  accept_but(grouped, [](RewriteStep& s) { s.demand->repeats = true; });
  accept_but(grouped, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "total"; });
  accept_but(grouped, [](RewriteStep& s) { first<AggregateCall>(s.after).filter = {}; });
  accept_but(grouped, [](RewriteStep& s) { first<Aggregate>(s.after).grouped = false; });
  accept_but(grouped, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  accept_but(grouped, [](RewriteStep& s) { first<WindowCall>(s.before).order_by.push_back({column(1)}); });
  accept_but(grouped, [](RewriteStep& s) { first<WindowCall>(s.before).partition_by.front().collation = "NOCASE"; });
}

TEST_F(CheckerOnSteps, PlaceOfNulls) {
  auto sorted = step("null_order", "SELECT id FROM p ORDER BY age IS NULL, age, id LIMIT 3");
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.after).keys.front().nulls_first = true; });
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.after).keys.front().descending = true; });
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.before).keys.front().descending = true; });
  accept_but(sorted, [](RewriteStep& s) { first<IsNull>(s.before).negated = true; });
  accept_but(sorted, [](RewriteStep& s) { first<Sort>(s.after).keys.pop_back(); });
}

TEST_F(CheckerOnSteps, InputsThatExcludeEachOther) {
  auto united = step("exclusive_union",
                     "SELECT name FROM p WHERE age > 2 UNION ALL SELECT name FROM p WHERE age <= 2 AND id > 5");
  accept_but(united, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::less_equal; });
  // Rows with the age 2 are in both.
  accept_but(united, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Compare>(*node).right = literal(std::int64_t{2});
  });
  accept_but(united, [](RewriteStep& s) { first<Or>(s.after).terms.pop_back(); });
  accept_but(united, [](RewriteStep& s) { first<SetOp>(s.before).op = ast::SetOp::except; });
  accept_but(united, [&](RewriteStep& s) { first<Project>(s.before).items.front().expr = column(attribute("age")); });
}

TEST_F(CheckerOnSteps, RowsThatNoAggregateUses) {
  auto filtered =
      step("common_filter", "SELECT count(*) FILTER (WHERE age > 3), max(id) FILTER (WHERE age > 3) FROM p");
  accept_but(filtered, [](RewriteStep& s) { first<AggregateCall>(s.before).filter = {}; });
  accept_but(filtered, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
  accept_but(filtered, [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::less; });
  // Groups without such a row remain.
  auto grouped = step("common_filter", "SELECT city FROM p GROUP BY city HAVING count(*) FILTER (WHERE age > 3) > 0");
  accept_but(grouped, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after})
      first<Filter>(*node).conjuncts.front() =
          compare(CompareOp::equal, literal(std::int64_t{1}), literal(std::int64_t{1}));
  });
  auto averaged = step("ignored_nulls", "SELECT avg(age), max(age + id) FROM p WHERE age IS NOT NULL");
  accept_but(averaged, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Aggregate>(*node).grouped = true;
  });
  accept_but(averaged, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) {
      auto& call = first<Aggregate>(*node).calls.front();
      call.name = "count";
      call.arguments.clear();
    }
  });
  accept_but(averaged, [](RewriteStep& s) { first<IsNull>(s.before).negated = false; });
  auto of_others =
      step("ignored_nulls", "SELECT name FROM p WHERE id > (SELECT count(*) FROM c WHERE v IS NOT NULL AND pid > 1)");
  accept_but(of_others, [](RewriteStep& s) { first<AggregateCall>(s.after).arguments.clear(); });
  accept_but(of_others, [&](RewriteStep& s) { first<AggregateCall>(s.after).arguments = {column(attribute("pid"))}; });
  accept_but(of_others, [](RewriteStep& s) { first<Aggregate>(s.before).grouped = true; });
  auto counted = step("ignored_nulls", "SELECT count(age) FROM p");
  accept_but(counted, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
  auto matched = step("filter_of_matches",
                      "SELECT p.id, count(*) FILTER (WHERE v > 3) FROM p LEFT JOIN c ON pid = p.id GROUP BY p.id");
  accept_but(matched, [](RewriteStep& s) { first<AggregateCall>(s.after).arguments.clear(); });
  accept_but(matched, [](RewriteStep& s) { first<Join>(s.after).on.pop_back(); });
  accept_but(matched, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Join>(*node).type = JoinType::inner;
  });
  // Keys of the right side would be other ones.
  accept_but(matched, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Aggregate>(*node).keys.front().expr = column(attribute("v"));
  });
  auto summed = step("sum_of_conditions", "SELECT sum(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM p");
  accept_but(summed, [](RewriteStep& s) { first<AggregateCall>(s.after).filter = {}; });
  accept_but(summed, [](RewriteStep& s) { first<Project>(s.after).items.front().expr = column(0); });
  accept_but(summed, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Aggregate>(*node).grouped = true;
  });
}

TEST_F(CheckerOnSteps, NothingGreater) {
  auto greatest = step("anti_join_to_extreme",
                       "SELECT cid FROM c WHERE NOT EXISTS (SELECT 1 FROM c AS o WHERE o.pid = c.pid AND o.w > c.w)");
  accept_but(greatest, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "min"; });
  accept_but(greatest, [](RewriteStep& s) { first<Join>(s.after).on.pop_back(); });
  accept_but(greatest, [](RewriteStep& s) { first<Join>(s.before).on.pop_back(); });
  accept_but(greatest, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::semi; });
  accept_but(greatest, [](RewriteStep& s) {
    for (auto& condition : first<Join>(s.before).on) {
      auto& compare = *condition.as<Compare>();
      if (compare.op == CompareOp::greater) compare.op = CompareOp::greater_equal;
      if (compare.op == CompareOp::less) compare.op = CompareOp::less_equal;
    }
  });
  const std::string groups = "WITH g AS (SELECT v, count(*) AS n, max(w) AS m FROM c GROUP BY v) ";
  const auto most = step("anti_join_to_extreme",
                         groups + "SELECT a.v FROM g AS a WHERE NOT EXISTS (SELECT 1 FROM g AS b WHERE b.n > a.n)");
  const auto counted_groups = [](std::variant<Rel, Expr>& node) -> Aggregate& { return first<Aggregate>(node); };
  accept_but(most, [](RewriteStep& s) { first<Join>(s.before).on.clear(); });
  accept_but(most, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) counted_groups(*node).calls.front().distinct = true;
  });
  accept_but(most, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after})
      counted_groups(*node).input = Rel{Filter{*counted_groups(*node).input, {is_null(column(attribute("v")), true)}}};
  });
  const auto at_least = step("extreme_comparison",
                             "SELECT v FROM c GROUP BY v HAVING count(*) >= (SELECT max(n) FROM (SELECT count(*) AS n "
                             "FROM c GROUP BY v))");
  accept_but(at_least, [](RewriteStep& s) { first<Join>(s.after).on.front().as<Compare>()->op = CompareOp::greater; });
  accept_but(at_least, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) counted_groups(*node).calls.front().distinct = true;
  });
  // Groups of other rows.
  EXPECT_THROW(
      step("extreme_comparison",
           "SELECT v FROM c WHERE w > 1 GROUP BY v HAVING count(*) >= (SELECT max(n) FROM (SELECT count(*) AS n "
           "FROM c GROUP BY v))"),
      std::runtime_error);
}

// --- sets and subqueries

TEST_F(CheckerOnSteps, SetsComparedByEquality) {
  accept_but(step("set_operation_simplification", "SELECT age FROM p INTERSECT SELECT v FROM c"),
             [](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::equal; });
  accept_but(step("set_operation_simplification", "SELECT age FROM p EXCEPT SELECT v FROM c"),
             [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
  accept_but(step("set_operation_simplification", "SELECT age FROM p UNION SELECT v FROM c"),
             [](RewriteStep& s) { s.after = *first<Distinct>(s.after).input; });
}

TEST_F(CheckerOnSteps, NotInOfNulls) {
  accept_but(step("in_to_semi_join", "SELECT id FROM p WHERE age NOT IN (SELECT v FROM c ORDER BY w)"),
             [](RewriteStep& s) {
               auto& conjuncts = first<Join>(s.after).on;
               conjuncts.front() = Expr(*conjuncts.front().as<IsTruth>()->operand);
             });
  auto exists = step("in_to_exists", "SELECT id FROM p WHERE age IN (SELECT v FROM c WHERE w = 1)", true);
  accept_but(exists, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.front() = literal(std::int64_t{1}); });
  // Where NULL is not equivalent to false, the values must not be NULL.
  accept_but(exists, [](RewriteStep& s) { s.truth_only = false; });
}

TEST_F(CheckerOnSteps, ExistsThatForgetsACondition) {
  accept_but(step("exists_to_semi_join", "SELECT id FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id)"),
             [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(step("exists_to_semi_join", "SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.pid = p.id)"),
             [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
}

TEST_F(CheckerOnSteps, SubqueriesOfSeveralRows) {
  auto joined = step("apply_to_join", "SELECT id, (SELECT max(v) FROM c) FROM p");
  accept_but(joined, [](RewriteStep& s) {
    first<Aggregate>(s.before).grouped = true;
    first<Aggregate>(s.after).grouped = true;
  });
  auto looked_up = step("correlated_row_unnesting", "SELECT v, (SELECT name FROM p WHERE p.id = c.pid) FROM c");
  accept_but(looked_up, [&](RewriteStep& s) {
    const auto city = attribute("name");
    for (auto* node : {&s.before, &s.after}) {
      walk(std::get<Rel>(*node), [&](Compare& each) {
        if (each.left->is<plan::Column>() && *column_id(*each.left) == attribute("id")) each.left = column(city);
        if (each.right->is<plan::Column>() && *column_id(*each.right) == attribute("id")) each.right = column(city);
      });
    }
  });
  auto counted =
      step("correlated_aggregate_unnesting", "SELECT id, (SELECT count(*) FROM c WHERE c.pid = p.id) FROM p");
  accept_but(counted, [](RewriteStep& s) {
    std::get<Rel>(s.after).as<Project>()->items.back().expr.as<Function>()->arguments[1] = literal(std::int64_t{1});
  });
}

// --- joins

TEST_F(CheckerOnSteps, OuterJoinWhoseNullsAreSeen) {
  auto turned = step("outer_to_inner", "SELECT p.id FROM p LEFT JOIN c ON c.pid = p.id WHERE c.v > 3");
  accept_but(turned, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Filter>(*node).conjuncts.front() = is_null(column(attribute("v")));
  });
}

TEST_F(CheckerOnSteps, AntiJoinByAColumnThatMayBeNull) {
  auto turned = step("left_to_anti_join", "SELECT p.id, c.v FROM p LEFT JOIN c ON c.pid = p.id WHERE c.w IS NULL");
  accept_but(turned,
             [&](RewriteStep& s) { first<Filter>(s.before).conjuncts.front() = is_null(column(attribute("v"))); });
}

TEST_F(CheckerOnSteps, JoinsThatMultiplyRows) {
  auto joined =
      step("semi_join_to_join", "SELECT v FROM c WHERE EXISTS (SELECT 1 FROM p WHERE p.id = c.pid AND p.age > 3)");
  joined.demand = demand({}, true);
  accept_but(joined, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) {
      for (auto& condition : first<Join>(*node).on)
        condition = compare(CompareOp::equal, column(attribute("age")), column(attribute("pid")));
    }
  });
  auto removed = step("left_join_removal", "SELECT c.v FROM c LEFT JOIN p ON p.id = c.v");
  removed.demand = demand({attribute("v")}, true);
  accept_but(removed, [&](RewriteStep& s) { first<Join>(s.before).on.clear(); });
  accept_but(removed, [&](RewriteStep& s) { s.demand->needed.add(attribute("id")); });
}

TEST_F(CheckerOnSteps, ForeignKeyWithoutTheAssumption) {
  auto removed = step("foreign_key_join_removal", "SELECT c.v FROM c JOIN p ON p.id = c.pid");
  removed.demand = demand({attribute("v")}, true);
  accept_but(removed, [](RewriteStep& s) { s.assumptions.clear(); });
}

TEST_F(CheckerOnSteps, CopyThatIsNoCopy) {
  auto removed = step("self_join_removal", "SELECT a.name FROM p AS a JOIN p AS b ON a.id = b.id WHERE b.age > 3");
  removed.demand = demand({}, true);
  accept_but(removed, [](RewriteStep& s) { s.renaming.begin()->second += 1; });
}

TEST_F(CheckerOnSteps, ListWithAnEqualConstant) {
  auto listed =
      step("values_join_to_filter",
           "SELECT p.name FROM p JOIN (VALUES ('a'), ('b'), (NULL)) AS l ON l.column1 = p.city AND p.age > 3");
  listed.demand = demand({attribute("name")}, true);
  const auto list = [](auto& tree) -> Values& { return first<Values>(tree); };
  accept_but(listed, [&](RewriteStep& s) { list(s.before).rows.push_back({literal(std::string("b"))}); });
  accept_but(listed, [&](RewriteStep& s) { list(s.before).rows.front().front() = column(attribute("age")); });
  accept_but(listed, [&](RewriteStep& s) { list(s.before).rows.pop_back(), list(s.before).rows.pop_back(); });
  accept_but(listed, [&](RewriteStep& s) { s.demand->needed.add(list(s.before).ids.front()); });
  accept_but(listed, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::left; });
  accept_but(listed, [](RewriteStep& s) { first<InList>(s.after).items.pop_back(); });
  accept_but(listed, [](RewriteStep& s) { first<InList>(s.after).negated = true; });
  accept_but(listed, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.pop_back(); });
  accept_but(listed, [](RewriteStep& s) {
    for (auto& condition : first<Join>(s.before).on) {
      if (auto* compare = condition.as<Compare>(); compare->op == CompareOp::equal) compare->op = CompareOp::is;
    }
  });
  // Under NOCASE, two of them would be equal.
  auto cased =
      step("values_join_to_filter", "SELECT p.name FROM p JOIN (VALUES ('a'), ('A')) AS l ON l.column1 = p.city");
  cased.demand = demand({attribute("name")}, true);
  accept_but(cased, [](RewriteStep& s) {
    first<Compare>(s.before).how.collation = "NOCASE";
    first<InList>(s.after).how.collation = "NOCASE";
  });
}

TEST_F(CheckerOnSteps, CountedParents) {
  const auto counted =
      step("count_of_parents", "SELECT count(*) FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND c.v > 3)");
  accept_but(counted, [](RewriteStep& s) { s.assumptions.clear(); });
  accept_but(counted, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().distinct = false; });
  accept_but(counted, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().collation = "NOCASE"; });
  accept_but(counted, [&](RewriteStep& s) {
    first<Aggregate>(s.after).calls.front().arguments.front() = column(attribute("v"));
  });
  accept_but(counted, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::anti; });
  accept_but(counted,
             [](RewriteStep& s) { first<Aggregate>(s.before).grouped = first<Aggregate>(s.after).grouped = true; });
  accept_but(counted, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
  accept_but(counted, [](RewriteStep& s) {
    auto& join = first<Join>(s.before);
    Rel filtered{Filter{*join.left, {is_null(join.on.front(), true)}}};
    join.left = std::move(filtered);
  });
}

TEST_F(CheckerOnSteps, FirstRowsOfPartitions) {
  const auto first_row = step(
      "first_row_to_anti_join",
      "SELECT cid FROM (SELECT cid, row_number() OVER (PARTITION BY v ORDER BY w DESC, cid) AS n FROM c) WHERE n = 1");
  const auto call = [](RewriteStep& s) -> WindowCall& { return first<Window>(s.before).calls.front(); };
  const auto earlier = [](RewriteStep& s) -> Or& { return first<Or>(s.after); };
  accept_but(first_row, [&](RewriteStep& s) { call(s).order_by.pop_back(); });
  accept_but(first_row, [&](RewriteStep& s) { call(s).order_by.front().descending = false; });
  accept_but(first_row, [&](RewriteStep& s) { call(s).order_by.front().collation = "NOCASE"; });
  accept_but(first_row, [&](RewriteStep& s) { call(s).order_by.front().expr = column(attribute("v")); });
  accept_but(first_row, [&](RewriteStep& s) { call(s).partition_by.clear(); });
  accept_but(first_row, [&](RewriteStep& s) { call(s).name = "rank"; });
  accept_but(first_row, [&](RewriteStep& s) { first<Filter>(s.before).conjuncts.front() = literal(std::int64_t{1}); });
  accept_but(first_row, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
  accept_but(first_row, [](RewriteStep& s) { first<Join>(s.after).on.erase(first<Join>(s.after).on.begin()); });
  accept_but(first_row, [&](RewriteStep& s) { earlier(s).terms.pop_back(); });
  accept_but(first_row, [&](RewriteStep& s) { first<Compare>(s.after).op = CompareOp::equal; });
  // NULLs have an order, but are not less than anything.
  EXPECT_THROW(
      step("first_row_to_anti_join",
           "SELECT cid FROM (SELECT cid, row_number() OVER (PARTITION BY w ORDER BY v, cid) AS n FROM c) WHERE n = 1"),
      std::runtime_error);
}

TEST_F(CheckerOnSteps, PairsOfRowsOfAGroup) {
  const auto paired =
      step("pairs_to_count", "SELECT DISTINCT d.pid FROM c JOIN c AS d ON d.pid = c.pid AND c.cid < d.cid");
  const auto least = [](RewriteStep& s) -> Expr& { return *first<Compare>(s.after).right; };
  accept_but(paired, [&](RewriteStep& s) { least(s) = literal(std::int64_t{1}); });
  accept_but(paired, [&](RewriteStep& s) { least(s) = literal(std::int64_t{3}); });
  accept_but(paired, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  accept_but(paired, [](RewriteStep& s) { first<Aggregate>(s.after).calls.front().distinct = true; });
  accept_but(paired, [](RewriteStep& s) { first<Join>(s.before).on.pop_back(); });
  accept_but(paired, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::anti; });
  accept_but(paired, [](RewriteStep& s) { first<Distinct>(s.before).collations = {"NOCASE"}; });
  accept_but(paired, [](RewriteStep& s) {
    for (auto& condition : first<Join>(s.before).on) condition.as<Compare>()->op = CompareOp::less;
  });
  accept_but(paired, [&](RewriteStep& s) {
    first<Project>(s.after).items.front().expr = column(first<Aggregate>(s.after).calls.front().id);
  });
  // Two rows may agree in w.
  EXPECT_THROW(step("pairs_to_count", "SELECT DISTINCT c.pid FROM c JOIN c AS d ON d.pid = c.pid AND c.w < d.w"),
               std::runtime_error);
}

}  // namespace
}  // namespace trustsql::equiv::checker
