// The checker on single steps of rules about groups and aggregates.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST_F(CheckerOnSteps, ConditionOnAnAggregateMoved) {
  auto moved =
      step("having_to_where", "SELECT city, max(age) FROM p GROUP BY city HAVING city <> 'a' AND max(age) > 3");
  accept_but(moved, [](RewriteStep& s) {
    auto& aggregate = first<Aggregate>(s.after);
    aggregate.input->as<Filter>()->conjuncts.push_back(first<Filter>(s.after).conjuncts.front());
    s.after = Rel{aggregate};
  });
  accept_but(moved, [](RewriteStep& s) {
    first<Aggregate>(s.before).grouped = false;
    first<Aggregate>(s.after).grouped = false;
  });
}

TEST_F(CheckerOnSteps, SumOfNothingIsNoCount) {
  auto filtered =
      step("aggregate_filter", "SELECT city, sum(CASE WHEN w > 3 THEN 1 ELSE 0 END) FROM c, p GROUP BY city");
  accept_but(filtered, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) {
      first<Aggregate>(*node).grouped = false;
      first<Aggregate>(*node).keys.clear();
    }
  });
  auto counted = step("count_simplification", "SELECT count(id), max(age) FROM p");
  accept_but(counted,
             [&](RewriteStep& s) { first<AggregateCall>(s.before).arguments.front() = column(attribute("age")); });
}

TEST_F(CheckerOnSteps, FiltersThatAreTrue) {
  accept_but(step("constant_aggregate", "SELECT group_concat(name) FILTER (WHERE 1) FROM p"),
             [](RewriteStep& s) { *first<AggregateCall>(s.before).filter = Expr{Literal{Value(std::int64_t{0})}}; });
}

TEST_F(CheckerOnSteps, ProductsOfCounts) {
  const std::string_view ages = "(SELECT age, count(*) AS n, sum(id) AS s FROM p GROUP BY age)";
  const std::string_view values = "(SELECT v, count(*) AS m FROM c GROUP BY v)";
  const auto joined = [&](std::string_view select, std::string_view end) {
    return step("joined_aggregate_merging", std::string(select) + " FROM " + std::string(ages) + " JOIN " +
                                                std::string(values) + " ON v = age " + std::string(end));
  };
  auto counts = joined("SELECT age, sum(n * m)", "GROUP BY age");
  accept_but(counts, [](RewriteStep& s) { first<Binary>(s.before).op = ast::BinaryOp::add; });
  accept_but(counts, [](RewriteStep& s) {
    auto& product = first<Binary>(s.before);
    product.right = Expr(*product.left);  // the other group has no factor
  });
  accept_but(counts, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "total"; });
  auto over_no_rows = joined("SELECT sum(m * n)", "");
  accept_but(over_no_rows, [](RewriteStep& s) {
    auto& project = first<Project>(s.after);
    project.items.front().expr = column(project.input->as<Aggregate>()->calls.front().id);
  });
  auto product = joined("SELECT age, s * m", "");
  accept_but(product, [](RewriteStep& s) { first<Aggregate>(s.after).keys.clear(); });
  accept_but(product, [](RewriteStep& s) { first<Binary>(s.before).op = ast::BinaryOp::subtract; });
}

TEST_F(CheckerOnSteps, SemiJoinsBelowDistinct) {
  auto moved =
      step("semi_join_below_distinct",
           "SELECT count(*) FROM (SELECT DISTINCT city, age FROM p) WHERE NOT EXISTS (SELECT 1 FROM c WHERE w = "
           "city)");
  accept_but(moved, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
  accept_but(moved, [](RewriteStep& s) { s.after = *first<Distinct>(s.after).input; });
  // Values that are equal but not identical.
  plan_.attributes[attribute("city")].types = types::any;
  plan_.attributes[attribute("city")].storage = Affinity::none;
  reject(moved);
}

TEST_F(CheckerOnSteps, CountsOfTheSetsThatHaveARow) {
  auto both =
      step("counted_union_to_semi_join",
           "SELECT x FROM (SELECT DISTINCT city AS x FROM p UNION ALL SELECT DISTINCT w FROM c) GROUP BY x HAVING "
           "count(*) = 2");
  accept_but(both, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(both, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::less; });
  accept_but(both, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::anti; });
  accept_but(both, [](RewriteStep& s) {
    // The first set has rows twice.
    auto& set = first<SetOp>(s.before);
    Rel rows = *set.inputs.front().as<Distinct>()->input;
    first<Join>(s.after).left = rows;
    set.inputs.front() = rows;
  });
}

TEST_F(CheckerOnSteps, GroupsOfSeveralRows) {
  auto removed = step("group_by_removal", "SELECT id, max(age) FROM p GROUP BY id");
  accept_but(removed, [&](RewriteStep& s) { first<Aggregate>(s.before).keys.front().collation = "NOCASE"; });
  auto distinct = step("distinct_into_aggregate", "SELECT sum(age) FROM (SELECT DISTINCT age FROM p) AS q");
  accept_but(distinct, [](RewriteStep& s) { first<AggregateCall>(s.after).distinct = false; });
  auto keys = step("group_key_reduction", "SELECT count(*), sum(v) FROM p, c GROUP BY id, name");
  keys.demand = demand(AttributeSet(), true);
  accept_but(keys, [](RewriteStep& s) {
    auto& before = first<Aggregate>(s.before).keys;
    first<Aggregate>(s.after).keys = {before.back()};
  });
}

TEST_F(CheckerOnSteps, CountsBesideTheirBounds) {
  auto decided = step("count_bounds", "SELECT city FROM p GROUP BY city HAVING count(*) > 0");
  accept_but(decided, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{2}); });
}

TEST_F(CheckerOnSteps, CountsThatAskForARow) {
  auto compared = step("count_to_exists", "SELECT id FROM p WHERE (SELECT count(v) FROM c WHERE c.pid = p.id) = 0");
  accept_but(compared, [](RewriteStep& s) { first<Exists>(s.after).negated = false; });
  accept_but(compared, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::greater_equal; });
  accept_but(compared, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(compared, [](RewriteStep& s) { first<AggregateCall>(s.before).name = "sum"; });
  // count(v) does not count NULLs.
  accept_but(compared, [](RewriteStep& s) { first<AggregateCall>(s.before).arguments.clear(); });
  accept_but(compared, [](RewriteStep& s) { first<Aggregate>(s.before).grouped = true; });
  auto joined =
      step("count_to_exists",
           "SELECT id FROM p, (SELECT count(*) AS n, count(v) AS k FROM c) AS d WHERE n = 0 OR age = 1 AND k < n");
  accept_but(joined, [](RewriteStep& s) { first<Exists>(s.after).negated = false; });
  accept_but(joined, [](RewriteStep& s) { first<IsNull>(s.after).negated = true; });
  accept_but(joined, [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = true; });
  accept_but(joined, [](RewriteStep& s) {
    first<Aggregate>(s.before).grouped = true;
    first<Aggregate>(s.after).grouped = true;
  });
}

TEST_F(CheckerOnSteps, RowsThatImplyRows) {
  auto absorbed = step("existence_absorption",
                       "SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE v > 1) OR age = 3 AND NOT EXISTS "
                       "(SELECT 1 FROM c WHERE v > 1 AND pid = p.id)",
                       true);
  accept_but(absorbed, [](RewriteStep& s) { first<Or>(s.after).terms.pop_back(); });
  accept_but(absorbed, [](RewriteStep& s) {
    auto& exists = first<Exists>(s.after);
    exists.negated = !exists.negated;
  });
  // The second relation has rows that the first has not.
  accept_but(absorbed, [](RewriteStep& s) {
    for (auto* side : {&s.before, &s.after}) {
      walk(std::get<Expr>(*side), [](Filter& filter) {
        for (auto& conjunct : filter.conjuncts) {
          auto* comparison = conjunct.as<Compare>();
          if (filter.conjuncts.size() > 1 && comparison->right->is<Literal>())
            comparison->right = literal(std::int64_t{0});
        }
      });
    }
  });
}

TEST_F(CheckerOnSteps, NotInWithNullsApart) {
  auto split = step("nullable_anti_join", "SELECT id FROM p WHERE age NOT IN (SELECT v FROM c WHERE w > 1)");
  accept_but(split, [](RewriteStep& s) { s.after = *first<Filter>(s.after).input; });
  accept_but(split, [](RewriteStep& s) { first<IsNull>(s.after).negated = !first<IsNull>(s.after).negated; });
  accept_but(split, [](RewriteStep& s) { first<Exists>(s.after).negated = false; });
  accept_but(split, [](RewriteStep& s) {
    Rel inner = *first<Join>(s.after).left;
    first<Filter>(s.after).input = std::move(inner);
  });
  accept_but(split, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::semi; });
}

TEST_F(CheckerOnSteps, GroupsWithoutMatches) {
  auto moved =
      step("unmatched_groups",
           "SELECT p.id, name, sum(v) FROM p LEFT JOIN c ON pid = p.id GROUP BY p.id, name HAVING count(cid) = 0");
  accept_but(moved, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(moved, [](RewriteStep& s) { first<Join>(s.before).type = first<Join>(s.after).type = JoinType::full; });
  accept_but(moved, [](RewriteStep& s) { first<IsNull>(s.after).negated = true; });
  // Several rows of p in a group.
  accept_but(moved, [&](RewriteStep& s) {
    const auto name = attribute("name");
    for (auto* rel : {&s.before, &s.after}) first<Aggregate>(*rel).keys = {{name, column(name), binary_collation}};
  });
}

TEST_F(CheckerOnSteps, AggregatesThatAreNotTheSame) {
  auto merged = step("duplicate_aggregate",
                     "SELECT n + m FROM (SELECT city, count(id) AS n, count(city) AS m FROM p GROUP BY city)");
  merged.demand = demand(AttributeSet{merged.renaming.begin()->second}, true);
  accept_but(merged, [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = true; });
  accept_but(merged, [](RewriteStep& s) { s.renaming.clear(); });
}

TEST_F(CheckerOnSteps, NullsOfASubquery) {
  auto tested = step("null_test_to_exists", "SELECT id FROM p WHERE (SELECT w FROM c WHERE c.pid = p.id) IS NOT NULL");
  accept_but(tested, [](RewriteStep& s) { first<Exists>(s.after).negated = true; });
  accept_but(tested, [](RewriteStep& s) { first<Filter>(s.after).conjuncts.clear(); });
}

TEST_F(CheckerOnSteps, AnyOfSeveralRows) {
  auto any = step("limited_constant", "SELECT city FROM p WHERE city = 'x' LIMIT 1");
  accept_but(any, [](RewriteStep& s) { first<Limit>(s.before).count = literal(std::int64_t{2}); });
  accept_but(any, [](RewriteStep& s) { first<Limit>(s.before).offset = literal(std::int64_t{1}); });
  accept_but(any,
             [](RewriteStep& s) { first<Compare>(s.before).op = first<Compare>(s.after).op = CompareOp::greater; });
  auto none_used = step("limited_constant", "SELECT id FROM p, (SELECT v FROM c LIMIT 1)");
  none_used.demand = demand(AttributeSet(), true);
  accept_but(none_used, [](RewriteStep& s) { first<Aggregate>(s.after).grouped = false; });
}

TEST_F(CheckerOnSteps, RowsOfItsOwn) {
  auto merged = step("scalar_aggregate_merging",
                     "SELECT (SELECT count(*) FROM c WHERE v > 1), (SELECT avg(w) FROM c WHERE v > 1) FROM p");
  accept_but(merged, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "sum"; });
  accept_but(merged, [](RewriteStep& s) { first<Aggregate>(s.after).grouped = true; });
  accept_but(merged, [](RewriteStep& s) { first<Compare>(s.before).op = CompareOp::less; });
  auto lifted = step("single_row_above_groups",
                     "SELECT pid, sum(v), most FROM c, (SELECT max(age) AS most FROM p) GROUP BY pid, most");
  accept_but(lifted, [](RewriteStep& s) { first<AggregateCall>(s.after).name = "min"; });
  accept_but(lifted, [](RewriteStep& s) {
    auto& project = first<Project>(s.after);
    project.items.back().expr = project.items.front().expr;
  });
  // The relation that is joined has several rows.
  accept_but(lifted, [&](RewriteStep& s) {
    const auto age = attribute("age");
    for (auto* rel : {&s.before, &s.after}) {
      walk(std::get<Rel>(*rel), [&](Aggregate& aggregate) {
        if (aggregate.calls.front().name != "max") return;
        aggregate.grouped = true;
        aggregate.keys = {{age, column(age), binary_collation}};
      });
    }
  });
}

TEST_F(CheckerOnSteps, ValuesThatAreCounted) {
  auto divided = step("counted_values_to_semi_join",
                      "SELECT pid FROM c WHERE w IN ('a', 'b') GROUP BY pid HAVING count(DISTINCT w) = 2");
  accept_but(divided, [](RewriteStep& s) { first<AggregateCall>(s.before).distinct = false; });
  accept_but(divided, [](RewriteStep& s) { first<Compare>(s.before).right = literal(std::int64_t{1}); });
  accept_but(divided, [](RewriteStep& s) { first<InList>(s.before).items.push_back(literal(std::int64_t{3})); });
  accept_but(divided, [](RewriteStep& s) { first<InList>(s.before).items.back() = literal(std::string("a")); });
  accept_but(divided, [](RewriteStep& s) { first<InList>(s.before).negated = true; });
  accept_but(divided, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::anti; });
  accept_but(divided, [](RewriteStep& s) { first<Join>(s.after).on.front().as<Compare>()->op = CompareOp::equal; });
  auto nth = step("function_spelling", "SELECT nth_value(age, 1) OVER (ORDER BY id) FROM p");
  accept_but(nth, [](RewriteStep& s) { first<WindowCall>(s.before).arguments.back() = literal(std::int64_t{2}); });
}

TEST_F(CheckerOnSteps, LimitsBelowLimits) {
  const std::string limited =
      "SELECT * FROM (SELECT * FROM (SELECT w FROM c ORDER BY w LIMIT 3) UNION ALL SELECT id FROM p)";
  auto dropped = step("limit_in_union", limited + " ORDER BY 1 LIMIT 3");
  accept_but(dropped, [](RewriteStep& s) {
    first<Limit>(s.before).count = first<Limit>(s.after).count = literal(std::int64_t{4});
  });
  accept_but(dropped, [](RewriteStep& s) {
    first<Sort>(s.before).keys.front().descending = first<Sort>(s.after).keys.front().descending = true;
  });
  accept_but(dropped,
             [](RewriteStep& s) { first<SetOp>(s.before).op = first<SetOp>(s.after).op = ast::SetOp::union_distinct; });
  auto empty =
      step("limit_simplification", "SELECT id FROM (SELECT id, age FROM p LIMIT 3) WHERE age > 1 LIMIT 1 OFFSET 3");
  accept_but(empty, [](RewriteStep& s) { first<Limit>(s.before).offset = literal(std::int64_t{2}); });
}

TEST_F(CheckerOnSteps, CountsOfMatchesThatAFilterAsksFor) {
  const auto counted = step(
      "count_simplification",
      "SELECT p.id, count(c.cid) FILTER (WHERE v > 3), count(c.pid) FROM p LEFT JOIN c ON pid = p.id GROUP BY p.id");
  const auto of_all = [](RewriteStep& s) -> AggregateCall& {
    auto& calls = first<Aggregate>(s.after).calls;
    return *std::find_if(calls.begin(), calls.end(), [](const AggregateCall& call) { return call.arguments.empty(); });
  };
  accept_but(counted, [&](RewriteStep& s) { of_all(s).filter = {}; });
  accept_but(counted, [&](RewriteStep& s) { of_all(s).filter = is_null(column(attribute("v"))); });
  accept_but(counted, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) {
      for (auto& call : first<Aggregate>(*node).calls) {
        if (call.filter) call.filter = is_null(column(attribute("v")));
      }
    }
  });
  accept_but(counted, [&](RewriteStep& s) {
    for (auto& call : first<Aggregate>(s.before).calls) {
      if (call.filter) call.arguments = {column(attribute("v"))};
      if (call.filter) call.filter = is_null(column(attribute("cid")), true);
    }
    of_all(s).filter = is_null(column(attribute("cid")), true);
  });
}

TEST_F(CheckerOnSteps, MatchesJoinedWithTheirs) {
  const auto nested = step("joined_matches",
                           "SELECT p.id, count(d.v) FROM p LEFT JOIN c ON c.pid = p.id LEFT JOIN c AS d ON d.w = c.v "
                           "GROUP BY p.id");
  const auto outer = [](RewriteStep& s) -> Join& { return first<Join>(s.before); };
  accept_but(nested, [](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<AggregateCall>(*node).arguments.clear();
  });
  accept_but(nested, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<AggregateCall>(*node).arguments = {column(attribute("id"))};
  });
  accept_but(nested, [&](RewriteStep& s) {
    for (auto* node : {&s.before, &s.after}) first<Aggregate>(*node).keys.front().expr = column(attribute("v"));
  });
  accept_but(nested, [&](RewriteStep& s) { outer(s).type = JoinType::inner; });
  accept_but(nested, [&](RewriteStep& s) { outer(s).left->as<Join>()->type = JoinType::inner; });
  accept_but(nested, [](RewriteStep& s) { first<Join>(s.after).right->as<Join>()->type = JoinType::left; });
  accept_but(nested, [](RewriteStep& s) { first<Join>(s.after).right->as<Join>()->on.clear(); });
  // A row that has no match in the first table would have one in the second.
  accept_but(nested, [&](RewriteStep& s) {
    outer(s).on.front().as<Compare>()->op = CompareOp::is;
    first<Join>(s.after).right->as<Join>()->on.front().as<Compare>()->op = CompareOp::is;
  });
  // The rows without a match in the second table are counted.
  EXPECT_THROW(step("joined_matches",
                    "SELECT p.id, count(d.v), count(c.v) FROM p LEFT JOIN c ON c.pid = p.id LEFT JOIN c AS d ON d.w = "
                    "c.v GROUP BY p.id"),
               std::runtime_error);

  auto of_parents = step("matched_outer_join",
                         "SELECT p.id, c.v, q.age FROM p LEFT JOIN c ON c.w = p.age LEFT JOIN p AS q ON q.id = c.pid");
  accept_but(of_parents, [](RewriteStep& s) { s.assumptions.clear(); });
  accept_but(of_parents, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  accept_but(of_parents, [](RewriteStep& s) { first<Join>(s.after).right->as<Join>()->type = JoinType::left; });
  EXPECT_THROW(step("matched_outer_join",
                    "SELECT p.id, c.v, q.age FROM p LEFT JOIN c ON c.w = p.age LEFT JOIN p AS q ON q.id = c.v"),
               std::runtime_error);
}

TEST_F(CheckerOnSteps, AggregatesOfRowsAndOfTheirMatches) {
  const auto split =
      step("scalars_of_left_join", "SELECT count(v), count(DISTINCT age) FROM p LEFT JOIN c ON c.pid = p.id");
  const auto product = [](RewriteStep& s) -> Join& { return first<Join>(s.after); };
  accept_but(split, [](RewriteStep& s) { first<Aggregate>(s.before).grouped = true; });
  accept_but(split, [](RewriteStep& s) { first<Join>(s.before).type = JoinType::inner; });
  accept_but(split,
             [&](RewriteStep& s) { product(s).right->as<Aggregate>()->input->as<Join>()->type = JoinType::left; });
  accept_but(split, [&](RewriteStep& s) { product(s).left->as<Aggregate>()->grouped = true; });
  accept_but(split, [&](RewriteStep& s) {
    product(s).left->as<Aggregate>()->calls.front().distinct = false;
    for (auto& call : first<Aggregate>(s.before).calls) call.distinct = false;
  });
  accept_but(split, [&](RewriteStep& s) {
    product(s).right->as<Aggregate>()->calls.front().arguments.clear();
    for (auto& call : first<Aggregate>(s.before).calls) {
      if (!call.distinct) call.arguments.clear();
    }
  });
  EXPECT_THROW(step("scalars_of_left_join", "SELECT count(*), count(DISTINCT age) FROM p LEFT JOIN c ON c.pid = p.id"),
               std::runtime_error);
}

}  // namespace
}  // namespace trustsql::equiv::checker
