// The HTML report: one page with the tables and figures of a report on systems, complete in itself.
//
// The page refers to nothing outside of itself and has no script; its Content-Security-Policy forbids both. Every
// figure has a table with its numbers. What the page shows was computed by report.hpp, risk_curve.hpp and
// threshold.hpp.
#pragma once

#include <string>
#include <vector>

#include "score/html_plots.hpp"
#include "score/report.hpp"
#include "score/threshold.hpp"

namespace trustsql {

// The report by one column of the source.
struct ReportByColumn {
  std::string column;
  std::vector<std::string> values;  // the groups' names by their numbers
  std::vector<ReportRow> rows;
};

struct HtmlReport {
  std::string title;
  std::string source;                // as the caller named it
  std::vector<std::string> systems;  // names, by number
  std::vector<ReportRow> totals;     // of ABSTAIN-ALL and of every system
  std::vector<ReportByColumn> groups;
  std::vector<PlottedConfidence> confidences;  // of the systems that have one for each of their answers
  std::vector<std::string> unranked;           // names of those that have one for some of their answers only
  ReportOptions options;
  ThresholdOptions threshold;
};

// The page, UTF-8. At most `max_plotted` systems are drawn in a figure and `max_group_rows` rows listed in a table of
// groups (those of the largest groups); where something is left out, the page says so.
std::string html_report(const HtmlReport& report);

}  // namespace trustsql
