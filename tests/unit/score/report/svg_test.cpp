#include "score/report/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "score/report/svg_labels.hpp"
#include "score/report/svg_path.hpp"
#include "score/report/svg_scale.hpp"
#include "unit/score/report/markup_checker.hpp"

namespace trustsql {
namespace {

TEST(SvgWriter, WritesWellFormedAndEscapedElements) {
  SvgWriter svg("f", 10, 20.5, "a < b", "c & d");
  svg.open_group("g", "tip \"x\"");
  svg.line(0, 0.04, 1.25, -0.01, "grid");
  svg.rect(1, 2, 3, 4, "r3");
  svg.rect(1, 2, 0, 4, "nothing");
  svg.path("M0 0L1 1", "curve");
  svg.path("", "nothing");
  svg.text(1, 2, TextAnchor::end, "name", "<i>");
  svg.text_upward(3, 4, "", "y");
  svg.close_group();
  EXPECT_EQ(
      std::move(svg).finish(),
      "<svg viewBox=\"0 0 10 20.5\" role=\"img\" aria-labelledby=\"f-t f-d\"><title id=\"f-t\">a &lt; b</title><desc "
      "id=\"f-d\">c &amp; d</desc>"
      "<g class=\"g\"><title>tip &quot;x&quot;</title><line x1=\"0\" y1=\"0\" x2=\"1.2\" y2=\"0\" class=\"grid\"/>"
      "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" class=\"r3\"/>"
      "<path d=\"M0 0L1 1\" class=\"curve\"/><text x=\"1\" y=\"2\" class=\"name "
      "end\">&lt;i&gt;</text>"
      "<text transform=\"translate(3 4) rotate(-90)\" class=\"mid\">y</text></g></svg>");
}

TEST(Scale, LinearMapsEndsAndClamps) {
  const Scale y = Scale::linear(0, 50, 200, 100);
  EXPECT_DOUBLE_EQ(y(0), 200);
  EXPECT_DOUBLE_EQ(y(50), 100);
  EXPECT_DOUBLE_EQ(y(25), 150);
  EXPECT_DOUBLE_EQ(y(1e300), 100);
  EXPECT_DOUBLE_EQ(y(-std::numeric_limits<double>::infinity()), 200);
  EXPECT_DOUBLE_EQ(y.invert(150), 25);
  EXPECT_EQ(y.ticks(5), (std::vector<double>{0, 10, 20, 30, 40, 50}));
  EXPECT_EQ(Scale::linear(0, 1, 0, 1).ticks(4), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(Scale::linear(-3, 7, 0, 1).ticks(5), (std::vector<double>{-2, 0, 2, 4, 6}));
}

TEST(Scale, SymlogIsLinearInTheMiddleAndHasEqualDecades) {
  const Scale x = Scale::symlog(0, 1000, 1, 0, 400);
  EXPECT_DOUBLE_EQ(x(0), 0);
  EXPECT_DOUBLE_EQ(x(0.5), 50);
  EXPECT_DOUBLE_EQ(x(1), 100);
  EXPECT_DOUBLE_EQ(x(10), 200);
  EXPECT_DOUBLE_EQ(x(1000), 400);
  const Scale y = Scale::symlog(-10000, 100, 100, 400, 0);
  EXPECT_DOUBLE_EQ(y(100), 0);
  EXPECT_DOUBLE_EQ(y(0), 100);
  EXPECT_DOUBLE_EQ(y(-100), 200);
  EXPECT_DOUBLE_EQ(y(-1000), 300);
  for (const double value : {-9999.0, -500.0, -100.0, -3.0, 0.0, 42.0})
    EXPECT_NEAR(y.invert(y(value)), value, 1e-9 * 10000);
  EXPECT_EQ(y.ticks(10), (std::vector<double>{-10000, -1000, -100, -50, 0, 50, 100}));
  EXPECT_EQ(x.ticks(9), (std::vector<double>{0, 0.5, 1, 10, 100, 1000}));
  EXPECT_LE(Scale::symlog(-1e30, 1e30, 1, 0, 100).ticks(8).size(), 9U);
}

TEST(Scale, OddRangesGiveFiniteCoordinates) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] :
       {std::pair{5.0, 5.0}, {0.0, 0.0}, {-infinity, infinity}, {1.0, std::nextafter(1.0, 2.0)}, {1e-320, 2e-320}}) {
    const Scale x = Scale::linear(low, high, 0, 100);
    for (const double value : {low, high, 0.0, 1.0}) EXPECT_TRUE(std::isfinite(x(value))) << low << " " << high;
    const auto ticks = x.ticks(5);
    EXPECT_LE(ticks.size(), 1001U);
  }
}

TEST(RoundUp, EndsOnATick) {
  EXPECT_DOUBLE_EQ(round_up_to_tick(0, 37, 6), 40);
  EXPECT_DOUBLE_EQ(round_up_to_tick(0, 100, 6), 100);
  EXPECT_DOUBLE_EQ(round_up_to_tick(0, 0, 6), 0);
}

TEST(Simplify, KeepsTheShape) {
  EXPECT_TRUE(simplify({}).empty());
  EXPECT_EQ(simplify({{1, 2}}), (std::vector<Point>{{1, 2}}));
  EXPECT_EQ(simplify({{0, 0}, {1, 1}, {2, 2}, {10, 10}}), (std::vector<Point>{{0, 0}, {10, 10}}));
  EXPECT_EQ(simplify({{0, 0}, {5, 5}, {10, 0}}), (std::vector<Point>{{0, 0}, {5, 5}, {10, 0}}));
  // One wild point among a million in the same column stays.
  std::vector<Point> points;
  for (int i = 0; i < 100000; ++i) points.push_back({i / 1000.0, i == 50001 ? 80.0 : 10.0});
  const auto kept = simplify(points);
  EXPECT_LE(kept.size(), 10U);
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
  EXPECT_EQ(std::count(kept.begin(), kept.end(), points[50001]), 1);
}

// Every point left out is within the tolerance, and a column, of what is drawn.
TEST(Simplify, StaysWithinItsTolerance) {
  std::vector<Point> points;
  double y = 100;
  unsigned state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525U + 1013904223U;
    y += (state >> 16) % 2 == 0 ? 0.3 : -0.3;
    points.push_back({i * 0.02, y});
  }
  const auto kept = simplify(points, 0.5, 0.1);
  EXPECT_LT(kept.size(), 3200U);  // at most four points in each of 800 columns
  std::size_t j = 0;
  for (const auto& point : points) {
    while (j + 1 < kept.size() && kept[j + 1].x < point.x) ++j;
    double low = 1e9;
    double high = -1e9;
    for (std::size_t k = j >= 8 ? j - 8 : 0; k < std::min(j + 8, kept.size()); ++k) {
      if (std::abs(kept[k].x - point.x) > 2 && k != j && k != j + 1) continue;
      low = std::min(low, kept[k].y);
      high = std::max(high, kept[k].y);
    }
    EXPECT_GE(point.y, low - 0.2);
    EXPECT_LE(point.y, high + 0.2);
  }
}

TEST(PathData, HasOneDecimal) {
  EXPECT_EQ(path_data({{0, 1.25}, {10.04, -3}}), "M0 1.2L10 -3");
  EXPECT_EQ(path_data({}), "");
}

TEST(SpreadLabels, KeepsGapsOrderAndBounds) {
  EXPECT_TRUE(spread_labels({}, 10, 0, 100).empty());
  EXPECT_EQ(spread_labels({50}, 10, 0, 100), (std::vector<double>{50}));
  EXPECT_EQ(spread_labels({150}, 10, 0, 100), (std::vector<double>{100}));
  EXPECT_EQ(spread_labels({20, 80}, 10, 0, 100), (std::vector<double>{20, 80}));
  EXPECT_EQ(spread_labels({50, 50}, 10, 0, 100), (std::vector<double>{45, 55}));
  EXPECT_EQ(spread_labels({52, 48}, 10, 0, 100), (std::vector<double>{55, 45}));
  EXPECT_EQ(spread_labels({0, 0, 0}, 10, 0, 100), (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(spread_labels({99, 99, 99}, 10, 0, 100), (std::vector<double>{80, 90, 100}));
  EXPECT_EQ(spread_labels({5, 5, 5}, 100, 0, 100), (std::vector<double>{0, 50, 100}));  // too many: the gap shrinks
}

TEST(PathData, HatchingIsClippedAndContinuesInTheNextRectangle) {
  EXPECT_EQ(hatch_data({0, 0}, 4, 4, 4), "M0 4L4 0");
  EXPECT_EQ(hatch_data({0, 0}, 4, 4, 4, /*falling=*/true), "M0 0L4 4");
  EXPECT_EQ(hatch_data({0, 0}, 10, 2, 4), "M2 2L4 0M6 2L8 0");
  EXPECT_EQ(hatch_data({4, 0}, 6, 2, 4), "M6 2L8 0");  // the same strokes where the rectangle is cut
  EXPECT_EQ(hatch_data({0, 1}, 10, 2, 4, /*falling=*/true), "M1 1L3 3M5 1L7 3M9 1L10 2");
  EXPECT_EQ(hatch_data({0, 0}, 0, 5, 4), "");
  EXPECT_EQ(hatch_data({0, 0}, 5, -1, 4), "");
  EXPECT_EQ(hatch_data({0, 0}, std::numeric_limits<double>::infinity(), 5, 4), "");
}

}  // namespace
}  // namespace trustsql
