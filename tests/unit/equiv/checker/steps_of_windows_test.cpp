// The checker on single steps of rules that look at the rows before or behind one in an order.
#include <gtest/gtest.h>

#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

WindowCall& call_in(RewriteStep& s) { return first<Window>(s.before).calls.front(); }
Aggregate& rows_in(RewriteStep& s) { return first<Aggregate>(s.after); }
Filter& filter_in(RewriteStep& s) { return *rows_in(s).input->as<Filter>(); }

TEST_F(CheckerOnSteps, RanksAsNumbersOfRowsBefore) {
  const auto ranked =
      step("window_to_subquery", "SELECT cid, rank() OVER (PARTITION BY v ORDER BY w DESC, pid) FROM c");
  accept_but(ranked, [](RewriteStep& s) { call_in(s).order_by.front().descending = false; });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).order_by.front().collation = "NOCASE"; });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).order_by.pop_back(); });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).partition_by.clear(); });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).partition_by.front().collation = "NOCASE"; });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).name = "dense_rank"; });
  accept_but(ranked, [](RewriteStep& s) { call_in(s).name = "row_number"; });
  accept_but(ranked, [](RewriteStep& s) { rows_in(s).grouped = true; });
  accept_but(ranked, [](RewriteStep& s) { rows_in(s).calls.front().distinct = true; });
  accept_but(ranked, [](RewriteStep& s) { filter_in(s).conjuncts.pop_back(); });
  accept_but(ranked, [](RewriteStep& s) { filter_in(s).conjuncts.front().as<Compare>()->op = CompareOp::equal; });
  accept_but(ranked, [](RewriteStep& s) { first<Or>(s.after).terms.pop_back(); });
  accept_but(ranked, [](RewriteStep& s) { first<Binary>(s.after).left = literal(std::int64_t{2}); });
  accept_but(ranked, [](RewriteStep& s) { first<Apply>(s.after).type = ApplyType::anti; });
  accept_but(ranked, [](RewriteStep& s) {
    auto& last = first<Or>(s.after).terms.back().as<And>()->terms.back();
    last.as<Compare>()->op = CompareOp::less_equal;
  });
  const auto dense = step("window_to_subquery", "SELECT cid, dense_rank() OVER (ORDER BY w) FROM c WHERE v > 3");
  accept_but(dense, [](RewriteStep& s) { call_in(s).name = "rank"; });
  accept_but(dense, [](RewriteStep& s) { rows_in(s).calls.front().distinct = false; });
  accept_but(dense, [&](RewriteStep& s) { rows_in(s).calls.front().arguments.front() = column(attribute("w")); });
  accept_but(dense, [](RewriteStep& s) { filter_in(s).input->as<Filter>()->conjuncts.clear(); });
  // NULLs have an order, but are not less than anything.
  EXPECT_THROW(step("window_to_subquery", "SELECT rank() OVER (ORDER BY age) FROM p"), std::runtime_error);
  // The number of values of several columns is none that COUNT computes.
  EXPECT_THROW(step("window_to_subquery", "SELECT dense_rank() OVER (ORDER BY w, pid) FROM c"), std::runtime_error);
}

TEST_F(CheckerOnSteps, RunningAggregates) {
  const auto running = step("window_to_subquery", "SELECT cid, sum(v) OVER (PARTITION BY w ORDER BY pid) FROM c");
  const auto last = [](RewriteStep& s) { return filter_in(s).conjuncts.back().as<Compare>(); };
  accept_but(running, [&](RewriteStep& s) { last(s)->op = CompareOp::less; });
  accept_but(running, [&](RewriteStep& s) { last(s)->op = CompareOp::greater_equal; });
  accept_but(running, [](RewriteStep& s) { call_in(s).name = "total"; });
  accept_but(running, [](RewriteStep& s) { rows_in(s).calls.front().distinct = true; });
  accept_but(running, [&](RewriteStep& s) { call_in(s).filter = is_null(column(attribute("v"))); });
  accept_but(running, [&](RewriteStep& s) { call_in(s).arguments.front() = column(attribute("w")); });
  const auto frame = [](ast::FrameUnit unit, ast::FrameBound::Kind start, ast::FrameBound::Kind end) {
    Frame result;
    result.unit = unit;
    result.start.kind = start;
    result.end.kind = end;
    return result;
  };
  using Kind = ast::FrameBound::Kind;
  auto same = running;
  call_in(same).frame = frame(ast::FrameUnit::groups, Kind::unbounded_preceding, Kind::current_row);
  accept(same);
  // Rows with the same place in the order have different frames of rows.
  accept_but(same, [](RewriteStep& s) { call_in(s).frame->unit = ast::FrameUnit::rows; });
  accept_but(same, [](RewriteStep& s) { call_in(s).frame->start.kind = Kind::current_row; });
  accept_but(same, [](RewriteStep& s) { call_in(s).frame->end.kind = Kind::unbounded_following; });
  accept_but(same, [](RewriteStep& s) { call_in(s).frame->exclude = ast::FrameExclude::ties; });
  accept(step("window_to_subquery",
              "SELECT cid, sum(v) OVER (PARTITION BY w ORDER BY pid, cid ROWS UNBOUNDED PRECEDING) FROM c"));
}

TEST_F(CheckerOnSteps, NeighboursInAnOrder) {
  const auto before = step("window_to_subquery", "SELECT cid, lag(pid) OVER (PARTITION BY v ORDER BY pid, cid) FROM c");
  accept_but(before, [](RewriteStep& s) { call_in(s).name = "lead"; });
  accept_but(before, [](RewriteStep& s) { call_in(s).name = "first_value"; });
  accept_but(before, [](RewriteStep& s) { rows_in(s).calls.front().name = "min"; });
  accept_but(before, [](RewriteStep& s) { call_in(s).order_by.front().descending = true; });
  accept_but(before, [&](RewriteStep& s) { call_in(s).arguments.front() = column(attribute("cid")); });
  accept_but(before, [](RewriteStep& s) { call_in(s).arguments.push_back(literal(std::int64_t{2})); });
  // Rows with the same place in the order: the one before may have the same value.
  accept_but(before, [](RewriteStep& s) {
    call_in(s).order_by.pop_back();
    Expr of_first_key = first<Or>(s.after).terms.front();
    filter_in(s).conjuncts.back() = of_first_key;
  });
  accept(step("window_to_subquery", "SELECT cid, lead(cid) OVER (ORDER BY cid DESC) FROM c"));
  EXPECT_THROW(step("window_to_subquery", "SELECT lag(pid) OVER (ORDER BY pid) FROM c"), std::runtime_error);
  EXPECT_THROW(step("window_to_subquery", "SELECT lag(v) OVER (ORDER BY pid, cid) FROM c"), std::runtime_error);
}

TEST_F(CheckerOnSteps, SecondValues) {
  const auto second = step("second_value_to_extreme", "SELECT DISTINCT w FROM c ORDER BY w DESC LIMIT 1 OFFSET 1");
  accept_but(second, [](RewriteStep& s) { first<Limit>(s.before).offset = literal(std::int64_t{2}); });
  accept_but(second, [](RewriteStep& s) { first<Limit>(s.before).offset = {}; });
  accept_but(second, [](RewriteStep& s) { first<Limit>(s.before).count = literal(std::int64_t{2}); });
  accept_but(second, [](RewriteStep& s) { first<Sort>(s.before).keys.front().descending = false; });
  accept_but(second, [](RewriteStep& s) { first<Sort>(s.before).keys.front().collation = "NOCASE"; });
  accept_but(second, [](RewriteStep& s) { first<Distinct>(s.before).collations = {"NOCASE"}; });
  accept_but(second, [](RewriteStep& s) { rows_in(s).grouped = false; });
  accept_but(second, [](RewriteStep& s) { rows_in(s).calls.front().name = "min"; });
  accept_but(second, [](RewriteStep& s) { first<Join>(s.after).type = JoinType::anti; });
  accept_but(second, [](RewriteStep& s) { first<Join>(s.after).on.front().as<Compare>()->op = CompareOp::less_equal; });
  accept_but(second, [](RewriteStep& s) { first<Join>(s.after).on.clear(); });
  // With one value and a NULL, NULL is the second.
  EXPECT_THROW(step("second_value_to_extreme", "SELECT DISTINCT v FROM c ORDER BY v DESC LIMIT 1 OFFSET 1"),
               std::runtime_error);
  // The second row may have the first value.
  EXPECT_THROW(step("second_value_to_extreme", "SELECT w FROM c ORDER BY w DESC LIMIT 1 OFFSET 1"), std::runtime_error);
}

}  // namespace
}  // namespace trustsql::equiv::checker
