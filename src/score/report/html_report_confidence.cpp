// The section on confidences: thresholds and risk-coverage curves.

#include <algorithm>

#include "base/text.hpp"
#include "score/report/html_report_parts.hpp"
#include "score/report/html_text.hpp"

namespace trustsql::page {

namespace {

constexpr std::size_t max_curves = 24;
constexpr std::size_t max_thresholds = 12;  // systems whose thresholds are drawn

std::string method_text(const ThresholdOptions& options) {
  switch (options.method) {
    case ThresholdMethod::heuristic:
      return "at which the sum of right minus wrong answers, by descending confidence, is largest";
    case ThresholdMethod::rs: return "at which RS(" + penalty_name(options.c) + ") is largest";
    case ThresholdMethod::selective_risk:
      return "that gives the most answers with at most " + plain_number(100 * options.alpha, 4) +
             "% of the answers wrong, with probability " + plain_number(1 - options.delta, 6);
  }
  return {};
}

std::string threshold_table(const HtmlReport& report) {
  HtmlTable table("thresholds", "Thresholds",
                  {"System", "Threshold", "Answers", "Coverage", "Risk", "RS(0)", "RS(10)", "RS(N)",
                   "Risk of all answers", "AURC"});
  for (const auto& system : report.confidences) {
    const auto& point = system.at_threshold();
    table.row(system.system, {}, system.index);
    if (system.threshold) {
      table.number(system.threshold->real(), {.digits = 4});
    } else {
      table.text("abstains");
    }
    table.count(point.answers);
    for (const auto& value : {std::optional(point.coverage), point.selective_risk, std::optional(point.rs_0),
                              std::optional(point.rs_10), std::optional(point.rs_n)})
      table.number(value);
    table.number(system.curve.back().selective_risk);
    table.number(system.aurc, {.decimals = 3});
  }
  return std::move(table).finish();
}

std::string threshold_figure(const PlottedConfidence& system, std::size_t number, std::string_view note) {
  const std::string caption = "<b>" + html_text(cut_text(system.system, longest_name)) + ".</b> " +
                              (system.threshold ? "Threshold " + print_significant(system.threshold->real()) +
                                                      " (dashed): answers are given to its left."
                                                : std::string("Abstaining from everything is best."));
  return figure(plot_threshold("threshold-" + std::to_string(number), system), caption + std::string(note));
}

}  // namespace

std::string confidence_section(const HtmlReport& report) {
  std::string unranked;
  if (!report.unranked.empty()) {
    std::vector<std::string> names;
    for (const auto& name : report.unranked) names.push_back(cut_text(name, longest_name));
    unranked = paragraph("Without a confidence for some of their answers, hence not ranked: " + join(names, ", ") + ".",
                         "note");
  }
  if (report.confidences.empty()) return unranked.empty() ? unranked : heading("Confidence") + unranked;

  const auto systems = report.confidences.size();
  const std::vector<PlottedConfidence> drawn(
      report.confidences.begin(),
      report.confidences.begin() + static_cast<std::ptrdiff_t>(std::min(systems, max_curves)));
  std::string html =
      heading("Confidence") +
      paragraph("The threshold of a system is the confidence " + method_text(report.threshold) +
                    ". It was chosen on these very questions, so the scores with it are optimistic. In percent, except "
                    "for threshold, number of answers and AURC, the area under the risk-coverage curve.",
                "note") +
      threshold_table(report) + unranked + "<div class=\"figures\">\n" +
      figure(plot_risk_coverage("risk", drawn),
             "<b>Risk against coverage</b> when only the most confident answers are given. The mark is the threshold." +
                 plotted_note(systems, max_curves));
  for (std::size_t i = 0; i < std::min(systems, max_thresholds); ++i)
    html +=
        threshold_figure(drawn[i], i, i + 1 == max_thresholds ? plotted_note(systems, max_thresholds) : std::string());
  return html + "</div>\n";
}

}  // namespace trustsql::page
