#include "score/report/html_report_parts.hpp"

#include <algorithm>

#include "score/report/html_text.hpp"

namespace trustsql::page {

namespace {

std::optional<Interval> no_interval(const ReportRow&) { return std::nullopt; }

}  // namespace

std::string paragraph(std::string_view text, std::string_view classes) {
  const std::string attribute = classes.empty() ? std::string() : " class=\"" + std::string(classes) + "\"";
  return "<p" + attribute + ">" + html_text(text) + "</p>\n";
}

std::string heading(std::string_view text) { return "<h2>" + html_text(text) + "</h2>\n"; }

std::string figure(std::string svg, std::string_view caption) {
  return "<figure>\n" + std::move(svg) + "\n<figcaption>" + std::string(caption) + "</figcaption>\n</figure>\n";
}

std::string name_of(const HtmlReport& report, const ReportRow& row) {
  return row.system ? report.systems[*row.system] : "ABSTAIN-ALL";
}

void begin_row(HtmlTable& table, const HtmlReport& report, const ReportRow& row) {
  table.row(name_of(report, row), row.system ? "" : "abstain-all", row.system);
}

std::string penalty_name(const Penalty& c) { return c.is_n() ? "N" : plain_number(c.value(0), 6); }

std::string plotted_note(std::size_t systems, std::size_t most) {
  if (systems <= most) return {};
  return " The first " + std::to_string(most) + " of " + std::to_string(systems) +
         " systems are drawn; the table lists all.";
}

std::vector<ScoreColumn> score_columns(const HtmlReport& report) {
  std::vector<ScoreColumn> columns = {
      {"RS(0)", [](const ReportRow& row) { return row.rs.c_0; },
       [](const ReportRow& row) { return row.intervals.rs_0; }},
      {"RS(10)", [](const ReportRow& row) { return row.rs.c_10; },
       [](const ReportRow& row) { return row.intervals.rs_10; }},
      {"RS(N)", [](const ReportRow& row) { return row.rs.c_n; },
       [](const ReportRow& row) { return row.intervals.rs_n; }},
  };
  if (report.options.c) {
    columns.push_back({"RS(" + penalty_name(*report.options.c) + ")", [](const ReportRow& row) { return row.rs_c; },
                       [](const ReportRow& row) { return row.intervals.rs_c; }});
  }
  columns.push_back(
      {"Coverage", [](const ReportRow& row) { return coverage(row.counts); }, no_interval, /*more_is_better=*/false});
  columns.push_back({"Precision", [](const ReportRow& row) { return answer_precision(row.counts); },
                     [](const ReportRow& row) { return row.intervals.precision; }});
  return columns;
}

std::optional<double> best_of(const std::vector<const ReportRow*>& rows, const ScoreColumn& column) {
  std::optional<double> best;
  std::optional<double> worst;
  for (const auto* row : rows) {
    const auto value = column.value(*row);
    if (!row->system || !value) continue;
    best = std::max(best.value_or(*value), *value);
    worst = std::min(worst.value_or(*value), *value);
  }
  return column.more_is_better && best != worst ? best : std::nullopt;
}

void write_scores(HtmlTable& table, const HtmlReport& report, const std::vector<const ReportRow*>& rows,
                  const std::vector<ScoreColumn>& columns) {
  std::vector<std::optional<double>> best;
  for (const auto& column : columns) best.push_back(best_of(rows, column));
  for (const auto* row : rows) {
    begin_row(table, report, *row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto value = columns[i].value(*row);
      table.number(value, {.interval = columns[i].interval(*row), .best = row->system && best[i] && value == best[i]});
    }
  }
}

}  // namespace trustsql::page
