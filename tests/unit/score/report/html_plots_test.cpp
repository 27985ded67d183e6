#include "score/report/html_plots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "score/reliability/threshold.hpp"
#include "score/report/html_plot_parts.hpp"
#include "unit/score/report/markup_checker.hpp"

namespace trustsql {
namespace {

using testing_support::Markup;
using testing_support::MarkupElement;
using testing_support::read_markup;

constexpr double infinity = std::numeric_limits<double>::infinity();

double number(const MarkupElement& element, const std::string& attribute) {
  const auto& text = element.attributes.at(attribute);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<const MarkupElement*> of_class(const Markup& markup, std::string_view name, std::string_view classes) {
  std::vector<const MarkupElement*> elements;
  for (const auto* element : markup.named(name)) {
    const auto attribute = element->attributes.find("class");
    if (attribute != element->attributes.end() && attribute->second == classes) elements.push_back(element);
  }
  return elements;
}

// Every coordinate is a number, and every text begins within the image.
void expect_sound(const Markup& markup) {
  ASSERT_EQ(markup.error, "");
  for (const auto& element : markup.elements) {
    for (const auto& [key, value] : element.attributes) {
      EXPECT_EQ(value.find("nan"), std::string::npos) << element.name << " " << key;
      EXPECT_EQ(value.find("inf"), std::string::npos) << element.name << " " << key << "=" << value;
    }
    if (element.name == "text" && element.attributes.contains("x")) {
      EXPECT_GE(number(element, "x"), 0);
      EXPECT_LE(number(element, "x"), plot::figure_width);
    }
  }
}

PlottedConfidence confidences(const std::vector<ConfidentCase>& samples, const ThresholdOptions& options = {}) {
  PlottedConfidence plotted;
  plotted.system = "s";
  plotted.ranking = ConfidenceRanking::create(samples).value();
  plotted.curve = risk_curve(plotted.ranking);
  plotted.threshold = choose_threshold(plotted.ranking, options);
  return plotted;
}

TEST(PlotRegions, LengthsAreShares) {
  const auto markup = read_markup(plot_regions("f", {{"a", 0, {{10, 20, 30, 15, 25}}}, {"b", 1, {{0, 0, 0, 0, 4}}}}));
  expect_sound(markup);
  const double whole = plot::figure_width - 2;
  double x = 1;
  const std::pair<const char*, double> expected[] = {{"r1", 10}, {"r5", 25}, {"r2", 20}, {"r4", 15}, {"r3", 30}};
  for (const auto& [classes, percent] : expected) {
    std::vector<const MarkupElement*> bars;  // except for the legend's
    for (const auto* rect : of_class(markup, "rect", classes))
      if (number(*rect, "height") > 12) bars.push_back(rect);
    ASSERT_FALSE(bars.empty()) << classes;
    EXPECT_NEAR(number(*bars[0], "width"), whole * percent / 100, 0.051) << classes;
    EXPECT_NEAR(number(*bars[0], "x"), x, 0.051) << classes;
    x += whole * percent / 100;
    EXPECT_EQ(bars.size(), std::string_view(classes) == "r5" ? 2U : 1U);
  }
  const auto description = markup.named("desc").at(0)->text;
  EXPECT_NE(description.find("a: I 10.0, V 25.0, II 20.0, IV 15.0, III 30.0."), std::string::npos) << description;
}

TEST(PlotRegions, NamesAreEscapedAndFit) {
  const auto markup = read_markup(plot_regions(
      "f", {{"</text><script>x</script>", 0, {{1, 0, 0, 0, 0}}}, {std::string(100000, 'W'), 1, {{1, 0, 0, 0, 0}}}}));
  expect_sound(markup);
  EXPECT_TRUE(markup.named("script").empty());
  for (const auto* text : markup.named("text")) EXPECT_LT(text->text.size(), 100U);
}

TEST(PlotPenalty, MarksAreAtTheScores) {
  // RS(c) = 50 - 10 c: 50 at 0, -50 at 10; N = 100: -950.
  const auto svg = plot_penalty("f", {{"a", 0, {{20, 40, 5, 5, 30}}}}, CaseCounts{{0, 65, 0, 0, 35}});
  const auto markup = read_markup(svg);
  expect_sound(markup);
  const auto description = markup.named("desc").at(0)->text;
  EXPECT_NE(description.find("a: RS(0) 50.0, RS(10) \xe2\x88\x92"
                             "50.0, RS(N) \xe2\x88\x92"
                             "950.0."),
            std::string::npos)
      << description;
  EXPECT_NE(description.find("ABSTAIN-ALL: 35.0"), std::string::npos);
  // x: 3 decades and the linear part make N = 100 the end; y: from -1187.5 to 100.
  const Scale x = Scale::symlog(0, 100, 1, 58, 270);
  const Scale y = Scale::symlog(-1187.5, 100, 100, 262, 12);
  const auto marks = of_class(markup, "path", "s0 d0 dot");
  ASSERT_EQ(marks.size(), 1U);
  std::string expected;
  for (const auto& [c, rs] : {std::pair{0.0, 50.0}, {10.0, -50.0}, {100.0, -950.0}})
    expected += plot::series_mark(0, {x(c), y(rs)});
  EXPECT_EQ(marks[0]->attributes.at("d"), expected);
}

TEST(PlotPenalty, FewQuestionsAndNoHarm) {
  for (const auto& counts : {CaseCounts{{1, 0, 0, 0, 0}}, CaseCounts{{0, 0, 1, 0, 0}}, CaseCounts{{0, 2, 0, 0, 3}}}) {
    const auto markup = read_markup(plot_penalty("f", {{"a", 0, counts}}, counts.abstain_all()));
    expect_sound(markup);
  }
}

TEST(PlotPenalty, TwentySystemsHaveNamesThatDoNotOverlap) {
  std::vector<PlottedCounts> systems;
  for (std::size_t i = 0; i < 20; ++i)
    systems.push_back({"system " + std::to_string(i), i, {{50, 0, 1 + static_cast<std::int64_t>(i % 3), 0, 50}}});
  const auto markup = read_markup(plot_penalty("f", systems, CaseCounts{{0, 52, 0, 0, 50}}));
  expect_sound(markup);
  std::vector<double> ys;
  for (const auto* text : of_class(markup, "text", "name")) ys.push_back(number(*text, "y"));
  ASSERT_EQ(ys.size(), 21U);
  std::sort(ys.begin(), ys.end());
  for (std::size_t i = 1; i < ys.size(); ++i) EXPECT_GE(ys[i] - ys[i - 1], 11.9);
}

TEST(PlotRiskCoverage, EndsAtTheRiskOfAllAnswers) {
  const auto system = confidences(
      {{0.9, ReliabilityCase::I}, {0.8, ReliabilityCase::I}, {0.7, ReliabilityCase::III}, {{}, ReliabilityCase::V}});
  const auto markup = read_markup(plot_risk_coverage("f", {system}));
  expect_sound(markup);
  EXPECT_EQ(markup.named("desc").at(0)->text.substr(markup.named("desc").at(0)->text.find("s:")),
            "s: risk 33.3 at coverage 75.0, 0.0 at coverage 50.0 by its threshold.");
  const auto lines = of_class(markup, "path", "s0 d0 curve");
  ASSERT_EQ(lines.size(), 1U);
  const Scale x = Scale::linear(0, 100, 46, 270);
  const Scale y = Scale::linear(0, 40, 262, 12);
  EXPECT_EQ(lines[0]->attributes.at("d"), path_data({{x(25), y(0)}, {x(50), y(0)}, {x(75), y(100.0 / 3)}}));
}

TEST(PlotThreshold, ShowsTheThresholdBetweenAnsweredAndAbstained) {
  const auto system = confidences(
      {{4, ReliabilityCase::I}, {3, ReliabilityCase::I}, {2, ReliabilityCase::IV}, {1, ReliabilityCase::III}});
  ASSERT_EQ(system.threshold, 3);
  EXPECT_EQ(system.at_threshold().answers, 2);
  const auto markup = read_markup(plot_threshold("f", system));
  expect_sound(markup);
  const auto lines = of_class(markup, "line", "threshold");
  ASSERT_EQ(lines.size(), 2U);
  const double left = 46;
  const double right = plot::figure_width - 8;
  EXPECT_NEAR(number(*lines[0], "x1"), (left + right) / 2, 0.1);  // two answers of four
  const double split = number(*lines[1], "x1");
  // In the lower figure the right answers are dots left of the line, the wrong ones crosses right of it.
  const auto dots = of_class(markup, "path", "r1");
  const auto crosses = of_class(markup, "path", "cross");
  ASSERT_EQ(dots.size(), 1U);
  ASSERT_EQ(crosses.size(), 1U);
  const auto xs = [](const std::string& data) {
    std::vector<double> numbers;
    for (std::size_t position = data.find('M'); position != std::string::npos; position = data.find('M', position + 1))
      numbers.push_back(std::stod(data.substr(position + 1)));
    return numbers;
  };
  ASSERT_EQ(xs(dots[0]->attributes.at("d")).size(), 2U);
  ASSERT_EQ(xs(crosses[0]->attributes.at("d")).size(), 4U);
  for (const double x : xs(dots[0]->attributes.at("d"))) EXPECT_LT(x, split);
  for (const double x : xs(crosses[0]->attributes.at("d"))) EXPECT_GT(x, split);
}

TEST(PlotThreshold, CountsEveryAnswerWhateverItsConfidence) {
  std::vector<ConfidentCase> samples;
  for (int i = 0; i < 5000; ++i)
    samples.push_back({i % 100 == 0 ? (i % 200 == 0 ? infinity : -1e300) : i * 0.001,
                       i % 3 == 0 ? ReliabilityCase::III : ReliabilityCase::I});
  for (const auto& options : {ThresholdOptions{}, ThresholdOptions{.method = ThresholdMethod::rs}}) {
    const auto markup = read_markup(plot_threshold("f", confidences(samples, options)));
    expect_sound(markup);
    EXPECT_FALSE(of_class(markup, "rect", "r1").empty());
    EXPECT_FALSE(of_class(markup, "rect", "r3").empty());
  }
}

TEST(PlotThreshold, OddConfidences) {
  const std::vector<std::vector<ConfidentCase>> sets = {
      {{0.5, ReliabilityCase::I}},
      {{0.5, ReliabilityCase::III}},
      {{infinity, ReliabilityCase::I}},
      {{-infinity, ReliabilityCase::III}, {infinity, ReliabilityCase::I}},
      {{1e308, ReliabilityCase::I}, {-1e308, ReliabilityCase::III}},
      {{1e-320, ReliabilityCase::I}, {0, ReliabilityCase::III}},
      {{1, ReliabilityCase::I}, {std::nextafter(1.0, 2.0), ReliabilityCase::III}},
      {{7, ReliabilityCase::I}, {7, ReliabilityCase::IV}, {7, ReliabilityCase::I}},
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    SCOPED_TRACE(i);
    const auto system = confidences(sets[i]);
    expect_sound(read_markup(plot_threshold("f", system)));
    expect_sound(read_markup(plot_risk_coverage("g", {system})));
  }
}

TEST(PlotThreshold, AHundredThousandAnswersMakeASmallImage) {
  std::vector<ConfidentCase> samples;
  unsigned state = 7;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525U + 1013904223U;
    samples.push_back(
        {i / 100000.0, (state >> 8) % 100000 < static_cast<unsigned>(i) ? ReliabilityCase::I : ReliabilityCase::III});
  }
  const auto system = confidences(samples);
  EXPECT_LT(plot_threshold("f", system).size(), 20000U);
  EXPECT_LT(plot_risk_coverage("g", {system}).size(), 20000U);
}

}  // namespace
}  // namespace trustsql
