// What the sections of the HTML report share (html_report.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "score/report/html_report.hpp"
#include "score/report/html_table.hpp"

namespace trustsql::page {

inline constexpr std::size_t longest_name = 60;  // characters of a name within a sentence or heading

// Elements whose content is text.
std::string paragraph(std::string_view text, std::string_view classes = {});
std::string heading(std::string_view text);
// `caption` is HTML.
std::string figure(std::string svg, std::string_view caption);

// The name of a row's system, or "ABSTAIN-ALL".
std::string name_of(const HtmlReport& report, const ReportRow& row);
// Begins the row of a table for `row`.
void begin_row(HtmlTable& table, const HtmlReport& report, const ReportRow& row);
// "N", "10", "2.5".
std::string penalty_name(const Penalty& c);
// " The first 24 of 30 ..." if not all systems are drawn, else empty.
std::string plotted_note(std::size_t systems, std::size_t most);

// A column of scores: its heading, and the value and interval of a row.
struct ScoreColumn {
  std::string name;
  std::optional<double> (*value)(const ReportRow& row);
  std::optional<Interval> (*interval)(const ReportRow& row);
  bool more_is_better = true;
};

// RS(0), RS(10), RS(N), RS(c) if asked for, coverage, precision.
std::vector<ScoreColumn> score_columns(const HtmlReport& report);
// The largest value in `column` among the systems of `rows`; nullopt if all values are equal, or if more is not better.
std::optional<double> best_of(const std::vector<const ReportRow*>& rows, const ScoreColumn& column);
// Writes a row of the table for each of `rows`, with all of `columns`.
void write_scores(HtmlTable& table, const HtmlReport& report, const std::vector<const ReportRow*>& rows,
                  const std::vector<ScoreColumn>& columns);

// Sections of the page; empty if there is nothing to show.
std::string group_section(const HtmlReport& report, const ReportByColumn& grouped, std::size_t number);
std::string confidence_section(const HtmlReport& report);
std::string errors_section(const HtmlReport& report);

}  // namespace trustsql::page
