// The HTML report: one self-contained page with the tables and figures of a report on systems.
//
// The page refers to nothing outside of itself; its Content-Security-Policy forbids that. It is complete without
// scripts; if they are asked for, one sorts the tables, and the policy allows no other. Every figure has a table with
// its numbers, every table a link that saves it as CSV. The numbers are computed by report.hpp, risk_curve.hpp and
// threshold.hpp.
#pragma once

#include <string>
#include <vector>

#include "score/reliability/threshold.hpp"
#include "score/report/error_explanation.hpp"
#include "score/report/html_plots.hpp"
#include "score/report/report.hpp"

namespace trustsql {

// The report grouped by one column of the source.
struct ReportByColumn {
  std::string column;
  std::vector<std::string> values;  // names of the groups, by number
  std::vector<ReportRow> rows;
};

struct HtmlReport {
  std::string title;
  std::string source;                // as the caller named it
  std::vector<std::string> systems;  // names, by number
  std::vector<ReportRow> totals;     // of ABSTAIN-ALL and of every system
  std::vector<ReportByColumn> groups;
  std::vector<PlottedConfidence> confidences;  // of the systems with a confidence for every answer
  std::vector<std::string> unranked;           // names of the systems with confidences for only some answers
  std::vector<ExplainedError> errors;  // the wrong answers to list, those of a system in the order of the source
  ReportOptions options;
  ThresholdOptions threshold;
  bool scripts = false;  // whether the tables can be sorted
};

// The page, in UTF-8. At most `max_plotted` systems are drawn in a figure, and at most `max_group_rows` rows (those of
// the largest groups) are listed in a table of groups; where something is left out, the page says so.
std::string html_report(const HtmlReport& report);

}  // namespace trustsql
