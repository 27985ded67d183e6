// The checker on single steps: what a rule does is accepted, and the same step with a mistake is not.
#include "equiv/checker/rewrites.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "plan/all_rules.hpp"
#include "plan/put_in_order.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv::checker {
namespace {

using namespace plan;

constexpr const char* schema =
    "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, age INT, city TEXT NOT NULL);"
    "CREATE TABLE c(cid INTEGER PRIMARY KEY, pid INT NOT NULL REFERENCES p(id), v INT, w INT NOT NULL);";

// The first T in a tree.
template <class T>
T& first(std::variant<Rel, Expr>& node) {
  T* first_node = nullptr;
  std::visit(
      [&](auto& tree) {
        walk(tree, [&](T& node_of_type) { first_node = first_node != nullptr ? first_node : &node_of_type; });
      },
      node);
  if (first_node == nullptr) throw std::runtime_error("there is none");
  return *first_node;
}

class CheckerOnSteps : public testing::Test {
 protected:
  struct Place {
    Rel* rel = nullptr;
    Expr* expr = nullptr;
  };
  static Place find(Rel& root, const std::vector<std::uint32_t>& path) {
    Place place{&root, nullptr};
    for (const auto turn : path) {
      Place next;
      std::uint32_t left = turn / 2;
      const auto on_rel = [&](Rel& rel) {
        if (left-- == 0) next.rel = &rel;
      };
      const auto on_expr = [&](Expr& expr) {
        if (left-- == 0) next.expr = &expr;
      };
      if (turn % 2 == 0) place.rel != nullptr ? for_each_rel(*place.rel, on_rel) : for_each_rel(*place.expr, on_rel);
      if (turn % 2 == 1)
        place.rel != nullptr ? for_each_expr(*place.rel, on_expr) : for_each_expr(*place.expr, on_expr);
      place = next;
    }
    return place;
  }

  // The first step that `rule` takes on the query; `plan_` has its attributes from then on.
  RewriteStep step(std::string_view rule, const std::string& sql, bool truth_only = false) {
    plan_ = maker_.plan(sql);
    const auto normalised = normalise(plan_, {.assume = Assume::everything(), .record = true, .verify = true});
    for (const auto& round : normalised.trace) {
      plan_.attributes = round.attributes;
      Rel tree = round.start;
      for (const auto& step_taken : round.steps) {
        const auto place = find(tree, step_taken.path);
        if (step_taken.rule == rule) {
          RewriteStep step_of_rule;
          step_of_rule.rule = rule;
          if (place.rel != nullptr) step_of_rule.before = *place.rel;
          if (place.expr != nullptr) step_of_rule.before = *place.expr;
          step_of_rule.after = step_taken.after;
          step_of_rule.truth_only = truth_only;
          step_of_rule.renaming = step_taken.renaming;
          step_of_rule.assumptions = step_taken.assumptions;
          return step_of_rule;
        }
        if (place.rel != nullptr) *place.rel = std::get<Rel>(step_taken.after);
        if (place.expr != nullptr) *place.expr = std::get<Expr>(step_taken.after);
        rename(tree, step_taken.renaming);
      }
    }
    std::string fired;
    for (const auto& each : normalised.fired) fired += " " + std::string(each.rule);
    throw std::runtime_error(std::string(rule) + " does not fire, but" + fired);
  }

  AttributeId attribute(std::string_view name) const {
    for (std::size_t id = 0; id < plan_.attributes.size(); ++id) {
      if (plan_.attributes[id].name == name && plan_.attributes[id].table != nullptr)
        return static_cast<AttributeId>(id);
    }
    throw std::runtime_error("no such attribute");
  }

  void accept(const RewriteStep& step) const {
    const auto why = reject_rewrite(step, plan_);
    EXPECT_FALSE(why) << *why;
  }
  void reject(const RewriteStep& step) const { EXPECT_TRUE(reject_rewrite(step, plan_)) << step.rule; }
  // The step is accepted, and once it is spoilt, it is rejected.
  void accept_but(RewriteStep step, const std::function<void(RewriteStep&)>& spoil) const {
    accept(step);
    spoil(step);
    reject(step);
  }

  // The rows matter, but neither their order nor how often they occur.
  static Demand demand(AttributeSet needed, bool repeats = false) {
    return {std::move(needed), false, repeats, Demand::Order::none};
  }

  testing_support::PlanMaker maker_{schema};
  Plan plan_;
};

// --- expressions

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
  accept_but(step("function_spelling", "SELECT ifnull(age, 1) FROM p"), [](RewriteStep& s) {
    std::swap(first<Function>(s.after).arguments[0], first<Function>(s.after).arguments[1]);
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

// --- aggregates

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

// --- all of them

TEST_F(CheckerOnSteps, RuleWithoutALaw) {
  auto step_of_another = step("conjunct_simplification", "SELECT id FROM p WHERE age = 1 AND name = 'a' AND age = 1");
  step_of_another.rule = "some_new_rule";
  EXPECT_EQ(reject_rewrite(step_of_another, plan_), "some_new_rule: no law is known");
  auto of_expression = step("constant_folding", "SELECT 1 + 1");
  of_expression.rule = "some_new_rule";
  reject(of_expression);
}

// Each rule must have a law, including those that are not tried here.
TEST_F(CheckerOnSteps, EachRuleHasALaw) {
  plan_ = maker_.plan("SELECT id FROM p");
  for (const auto* rule : all_rules()) {
    RewriteStep nothing;
    nothing.rule = rule->name;
    if (std::holds_alternative<RuleOnExpr>(rule->apply)) {
      nothing.before = nothing.after = literal(std::int64_t{1});
    } else {
      nothing.before = nothing.after = plan_.root;
    }
    const auto why = reject_rewrite(nothing, plan_);
    EXPECT_TRUE(!why || !why->ends_with("no law is known")) << *why;
  }
}

TEST_F(CheckerOnSteps, AWholeTrace) {
  const auto plan = maker_.plan(
      "SELECT DISTINCT p.id FROM p JOIN c ON c.pid = p.id WHERE 3 < p.age + 0 AND p.name IN ('a') ORDER BY p.id, "
      "p.age");
  const auto normalised = normalise(plan, {.assume = Assume::everything(), .record = true, .verify = true});
  ASSERT_GE(normalised.trace.front().steps.size(), 3U);
  const auto check = check_rewrites(plan, normalised);
  EXPECT_FALSE(check.rejection) << *check.rejection;
  EXPECT_GE(check.steps, 3);

  auto missing = normalised;
  missing.trace.front().steps.pop_back();
  EXPECT_TRUE(check_rewrites(plan, missing).rejection);
  auto unnamed = normalised;
  unnamed.trace.front().steps.front().assumptions.push_back({Assumption::Kind::foreign_key, "c", {"pid"}, "p"});
  EXPECT_TRUE(check_rewrites(plan, unnamed).rejection);
  auto elsewhere = normalised;
  elsewhere.plan.root = maker_.plan("SELECT id FROM p").root;
  EXPECT_TRUE(check_rewrites(plan, elsewhere).rejection);
  EXPECT_TRUE(check_rewrites(maker_.plan("SELECT id FROM p"), normalised).rejection);
}

TEST_F(CheckerOnSteps, OrderThatDoesNotMatter) {
  const auto plan = maker_.plan("SELECT p.id, c.v FROM p, c WHERE p.id = c.pid AND p.age + 1 > 3");
  EXPECT_TRUE(same_but_for_order(plan.root, plan.root));
  Plan other = plan;
  put_in_order(other);
  Plan renamed = plan;
  rename(renamed.root, put_in_order(other = plan));
  EXPECT_TRUE(same_but_for_order(renamed.root, other.root));
  // The columns of the result have fixed positions.
  auto swapped = plan;
  std::swap(swapped.root.as<Project>()->items[0], swapped.root.as<Project>()->items[1]);
  EXPECT_FALSE(same_but_for_order(plan.root, swapped.root));
  auto dropped = plan;
  walk(dropped.root, [](Filter& filter) { filter.conjuncts.pop_back(); });
  EXPECT_FALSE(same_but_for_order(plan.root, dropped.root));
}

}  // namespace
}  // namespace trustsql::equiv::checker
