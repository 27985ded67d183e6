#include "score/report/html_report.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "unit/score/report/markup_checker.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using testing_support::Markup;
using testing_support::read_markup;

// A report on systems that answer `questions` questions, every third of them infeasible, with varying success.
HtmlReport make_report(const std::vector<std::string>& systems, int questions, int groups = 3) {
  HtmlReport report;
  report.title = "Report";
  report.source = "answers";
  report.systems = systems;
  report.options.bootstrap.replicates = 50;
  OutcomeTable total;
  OutcomeTable grouped;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    std::vector<ConfidentCase> samples;
    for (int q = 0; q < questions; ++q) {
      const auto mixed = mix64(s * 1000003 + static_cast<std::uint64_t>(q));
      const auto reliability_case = classify(q % 3 != 0, mixed % 5 != 0, mixed / 5 % 4 != 0);
      const std::string question = std::to_string(q);
      const Value group(std::string("group ") + std::to_string(q % groups));
      EXPECT_TRUE(total.add({.system = systems[s], .question = question, .reliability_case = reliability_case}).ok());
      EXPECT_TRUE(grouped
                      .add({.system = systems[s],
                            .question = question,
                            .groups = {&group, 1},
                            .reliability_case = reliability_case})
                      .ok());
      samples.push_back({static_cast<double>(mixed % 1000) / 1000, reliability_case});
    }
    PlottedConfidence confidence;
    confidence.system = systems[s];
    confidence.index = s;
    confidence.ranking = ConfidenceRanking::create(samples).value();
    confidence.curve = risk_curve(confidence.ranking);
    confidence.threshold = choose_threshold(confidence.ranking, report.threshold);
    confidence.aurc = 0.25;
    report.confidences.push_back(std::move(confidence));
  }
  report.totals = reliability_report(total, report.options, 1, never_stop).value();
  ReportOptions by = report.options;
  by.by_group = true;
  ReportByColumn column;
  column.column = "hardness";
  for (const auto& values : grouped.groups()) column.values.push_back(format_value(view(values[0])));
  column.rows = reliability_report(grouped, by, 1, never_stop).value();
  report.groups.push_back(std::move(column));
  return report;
}

// The values of the row `name` of the table whose caption has the id `table`, as the <data> elements give them.
std::vector<std::string> data_of(const std::string& html, const std::string& table, const std::string& name) {
  const auto start = html.find("<caption id=\"" + table + "\">");
  const auto row = html.find(">" + name + "</th>", start);
  EXPECT_NE(row, std::string::npos) << table << " " << name;
  const auto end = html.find("</tr>", row);
  std::vector<std::string> values;
  for (auto position = html.find("<data value=\"", row); position < end;
       position = html.find("<data value=\"", position + 1)) {
    const auto from = position + 13;
    values.push_back(html.substr(from, html.find('"', from) - from));
  }
  return values;
}

std::string exact(const std::optional<double>& value) { return format_real(*value); }

TEST(HtmlReport, IsWellFormedAndComplete) {
  const std::string html = html_report(make_report({"a", "b", "c"}, 60));
  const auto markup = read_markup(html);
  ASSERT_EQ(markup.error, "");
  EXPECT_EQ(markup.named("h1").at(0)->text, "Report");
  std::size_t figures = 0;
  for (const auto* svg : markup.named("svg")) {
    if (svg->attributes.contains("role")) ++figures;
    EXPECT_TRUE(svg->attributes.contains("role") != svg->attributes.contains("aria-hidden"));
  }
  EXPECT_EQ(figures, 2U + 1U + 3U);
  for (const auto* table : markup.named("table")) EXPECT_EQ(table->path.back(), "div");
  EXPECT_EQ(markup.named("caption").size(), markup.named("table").size());
  for (const auto* cell : markup.named("th")) EXPECT_TRUE(cell->attributes.contains("scope"));
  EXPECT_NE(html.find("3 systems, 60 questions: 40 feasible, 20 infeasible."), std::string::npos);
}

TEST(HtmlReport, RefersToNothingOutside) {
  const std::string html = html_report(make_report({"a"}, 30));
  for (const auto* word : {"http:", "https:", "src=", "<script", "<link", "@import", "@font-face", "url(http",
                           "javascript:", "onload", "onclick"})
    EXPECT_EQ(html.find(word), std::string::npos) << word;
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (auto position = html.find("url("); position != std::string::npos; position = html.find("url(", position + 1))
    EXPECT_EQ(html[position + 4], '#');
  for (auto position = html.find("href=\""); position != std::string::npos;
       position = html.find("href=\"", position + 1)) {
    const auto target = html.substr(position + 6, 14);
    EXPECT_TRUE(target.starts_with('#') || target == "data:text/csv;") << target;
  }
}

// A report on a system of whose wrong answers one is listed.
HtmlReport with_error(ExplainedError error) {
  auto report = make_report({"a"}, 30);
  report.errors.push_back(std::move(error));
  return report;
}

TEST(HtmlReport, AWrongAnswerWithEverything) {
  ExplainedError error;
  error.answer.texts = {.id = "7", .question = "How <many>?", .gold = "SELECT 1\r\n-- <b>", .prediction = "SELECT 2"};
  error.kind = "values";
  error.search = ExplainedError::Search::found;
  error.counterexample.emplace();
  error.counterexample->script = "CREATE TABLE t(a);\n";
  error.counterexample->a = ResultSet({"a", "b"});
  for (int i = 0; i < 8; ++i) {
    error.counterexample->a.append(ValueView::of_integer(i));
    error.counterexample->a.append(ValueView::of_text("it's"));
  }
  error.counterexample->b = ResultSet({"n"});
  error.difference = "The prediction requires a < 2.";
  const std::string html = html_report(with_error(error));
  ASSERT_EQ(read_markup(html).error, "");
  for (const auto* part :
       {"<h2>Wrong answers</h2>", ", the first 1 of them here", "<b>III</b> 7: How &lt;many&gt;?",
        "<pre><code>SELECT 1\n-- &lt;b&gt;</code></pre>", "Kind of error: values (only literals differ).",
        "<dt>Difference</dt><dd>The prediction requires a &lt; 2.</dd>", "a | b\n0 | &#39;it&#39;&#39;s&#39;\n",
        "... 2 more rows", "n\n(no rows)", "CREATE TABLE t(a);\n</code>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(HtmlReport, AWrongAnswerThatSaysWhatIsNotKnown) {
  ExplainedError error;
  const auto says = [&](std::string_view text) {
    const std::string html = html_report(with_error(error));
    EXPECT_EQ(read_markup(html).error, "");
    return html.find(text) != std::string::npos;
  };
  EXPECT_TRUE(says("(unnamed question)"));
  EXPECT_TRUE(says("The result is not that of the gold query."));
  error.search = ExplainedError::Search::same;
  EXPECT_TRUE(says("are proved to mean the same"));
  error.search = ExplainedError::Search::unknown;
  EXPECT_TRUE(says("No counterexample was found."));
  error.own.emplace();
  error.own->gold = ResultSet({"n"});
  error.own->gold.append(ValueView::of_integer(5));
  error.own->gold_rows = 1;
  error.own->prediction = ResultSet({"m"});
  EXPECT_TRUE(says("gold gives</dt><dd><pre><code>n\n5</code>"));
  EXPECT_TRUE(says("the prediction gives</dt><dd><pre><code>m\n(no rows)</code>"));
  error.search = ExplainedError::Search::no_time;
  EXPECT_TRUE(says("the time for counterexamples (counterexample_ms) was over"));
  error.answer.failure = query_failed("no such column: <x>");
  error.kind = "others";
  EXPECT_TRUE(says("The prediction failed: no such column: &lt;x&gt;. Kind of error: others"));
  error.answer.reliability_case = ReliabilityCase::IV;
  EXPECT_TRUE(says("the system should have abstained"));
}

TEST(HtmlReport, AScriptOnlyIfAskedFor) {
  auto report = make_report({"a"}, 30);
  report.scripts = true;
  const auto markup = read_markup(html_report(report));
  ASSERT_EQ(markup.error, "");
  EXPECT_EQ(markup.named("script").size(), 1U);
}

TEST(HtmlReport, NumbersAreThoseOfTheReport) {
  auto report = make_report({"a", "b"}, 60);
  report.totals[1].skipped = 2;
  report.totals[2].missing = 7;
  const std::string html = html_report(report);
  for (const auto& row : report.totals) {
    const std::string name = row.system ? report.systems[*row.system] : "ABSTAIN-ALL";
    std::vector<std::string> expected = {exact(row.rs.c_0)};
    const auto push = [&](const std::optional<Interval>& interval) {
      if (!interval) return;
      expected.push_back(format_real(interval->low));
      expected.push_back(format_real(interval->high));
    };
    push(row.intervals.rs_0);
    expected.push_back(exact(row.rs.c_10));
    push(row.intervals.rs_10);
    expected.push_back(exact(row.rs.c_n));
    push(row.intervals.rs_n);
    expected.push_back(exact(coverage(row.counts)));
    if (row.system) expected.push_back(exact(answer_precision(row.counts)));
    push(row.intervals.precision);
    EXPECT_EQ(data_of(html, "scores", name), expected) << name;

    std::vector<std::string> counts = {std::to_string(row.counts.total())};
    for (const auto count : row.counts.by_case) counts.push_back(std::to_string(count));
    counts.push_back(std::to_string(row.skipped));
    counts.push_back(std::to_string(row.missing));
    EXPECT_EQ(data_of(html, "cases", name), counts) << name;
    EXPECT_EQ(data_of(html, "feasible", name),
              (std::vector<std::string>{exact(row.feasible_rs.c_0), exact(row.feasible_rs.c_10),
                                        exact(row.feasible_rs.c_n)}));
  }
  const auto& point = report.confidences[1].at_threshold();
  const auto risk = report.confidences[1].curve.back().selective_risk;
  EXPECT_EQ(data_of(html, "thresholds", "b"),
            (std::vector<std::string>{exact(report.confidences[1].threshold->real()), std::to_string(point.answers),
                                      format_real(point.coverage), exact(point.selective_risk), format_real(point.rs_0),
                                      format_real(point.rs_10), format_real(point.rs_n), exact(risk), "0.25"}));
}

TEST(HtmlReport, HostileTextsAreInert) {
  const std::string hostile = "<script>alert(1)</script>\"'&\x01\xff</style>";
  auto report = make_report({hostile, "b"}, 12);
  report.title = hostile;
  report.source = "SELECT '" + hostile + "'";
  report.groups[0].column = hostile;
  report.groups[0].values[0] = hostile;
  const std::string html = html_report(report);
  const auto markup = read_markup(html);
  ASSERT_EQ(markup.error, "");
  EXPECT_TRUE(markup.named("script").empty());
  EXPECT_EQ(markup.named("style").size(), 1U);
  const std::string shown = "<script>alert(1)</script>\"'&\xef\xbf\xbd\xef\xbf\xbd</style>";
  EXPECT_EQ(markup.named("h1").at(0)->text, shown);
  EXPECT_EQ(markup.named("title").at(0)->text, shown);
}

TEST(HtmlReport, OptionalTables) {
  auto report = make_report({"a", "b"}, 30);
  EXPECT_EQ(html_report(report).find("id=\"parts\""), std::string::npos);
  EXPECT_EQ(html_report(report).find("id=\"share\""), std::string::npos);
  report.totals[1].parts.cls_kept = {3, 4};
  report.options.infeasible_share = 0.1;
  for (auto& row : report.totals) row.share_rs = {1, 2, 3};
  report.options.c = Penalty::of(2.5);
  for (auto& row : report.totals) row.rs_c = 12.5;
  const std::string html = html_report(report);
  ASSERT_EQ(read_markup(html).error, "");
  EXPECT_EQ(data_of(html, "parts", "a"), (std::vector<std::string>{"75.0"}));
  EXPECT_EQ(data_of(html, "share", "b"), (std::vector<std::string>{"1.0", "2.0", "3.0"}));
  EXPECT_NE(html.find("If 10% of the questions were infeasible"), std::string::npos);
  EXPECT_NE(html.find("<th scope=\"col\">RS(2.5)</th>"), std::string::npos);
}

TEST(HtmlReport, FewGroupsAreSideBySide) {
  const auto report = make_report({"a", "b"}, 60);
  const std::string html = html_report(report);
  std::vector<std::string> rs_10;
  std::vector<std::string> precision;
  for (const auto& row : report.groups[0].rows) {
    if (!row.group || row.system != 1U) continue;
    rs_10.push_back(exact(row.rs.c_10));
    precision.push_back(exact(answer_precision(row.counts)));
  }
  ASSERT_EQ(rs_10.size(), 3U);
  EXPECT_EQ(data_of(html, "by-0-1", "b"), rs_10);
  EXPECT_EQ(data_of(html, "by-0-4", "b"), precision);
  EXPECT_NE(html.find("<th scope=\"col\">group 1<small>N = 20</small></th>"), std::string::npos);
}

TEST(HtmlReport, NothingToShow) {
  HtmlReport report;
  report.title = "";
  const std::string html = html_report(report);
  EXPECT_EQ(read_markup(html).error, "");
  EXPECT_NE(html.find("0 systems"), std::string::npos);
}

TEST(HtmlReport, ManyGroupsAndSystemsAreCutWithANote) {
  std::vector<std::string> systems;
  for (int i = 0; i < 30; ++i) systems.push_back("system " + std::to_string(i));
  const std::string html = html_report(make_report(systems, 200, 50));
  ASSERT_EQ(read_markup(html).error, "");
  EXPECT_LT(html.size(), 600000U);
  EXPECT_NE(html.find("19 largest of 50 groups"), std::string::npos);
  EXPECT_NE(html.find("The first 24 of 30 systems are drawn"), std::string::npos);
  EXPECT_EQ(data_of(html, "scores", "system 29").size(), 13U);  // five numbers, four of them with intervals
}

}  // namespace
}  // namespace trustsql
