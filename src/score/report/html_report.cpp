#include "score/report/html_report.hpp"

#include <algorithm>

#include "score/report/html_plot_parts.hpp"
#include "score/report/html_report_parts.hpp"
#include "score/report/html_script.hpp"
#include "score/report/html_style.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace page {

namespace {

constexpr std::size_t max_plotted = 24;  // systems in a figure

// The row of ABSTAIN-ALL, which counts every question once; null if there is none.
const ReportRow* abstaining(const HtmlReport& report) {
  const auto abstaining_row =
      std::find_if(report.totals.begin(), report.totals.end(), [](const auto& row) { return !row.system; });
  return abstaining_row == report.totals.end() ? nullptr : &*abstaining_row;
}

std::string interval_note(const HtmlReport& report) {
  const auto& bootstrap = report.options.bootstrap;
  if (bootstrap.replicates == 0) return {};
  return " Below a score stands its " + plain_number(100 * bootstrap.level, 2) + "% interval (bootstrap of " +
         print_count(bootstrap.replicates) + " draws of " + (report.options.clustered ? "clusters" : "questions") +
         "; the exact one for a precision of 0 or 100).";
}

std::string scores_section(const HtmlReport& report) {
  const auto columns = score_columns(report);
  std::vector<std::string> headings = {"System"};
  for (const auto& column : columns) headings.push_back(column.name);
  std::vector<const ReportRow*> rows;
  for (const auto& row : report.totals) rows.push_back(&row);
  std::vector<bool> intervals = {false};
  for (const auto& column : columns)
    intervals.push_back(std::any_of(rows.begin(), rows.end(), [&](const auto* row) { return column.interval(*row); }));
  HtmlTable table("scores", "Scores in percent." + interval_note(report), headings, intervals);
  write_scores(table, report, rows, columns);
  return heading("Reliability") +
         paragraph(
             "RS(c) is the mean over all questions of 1 for a right answer (right SQL for a feasible question, "
             "abstention from an infeasible "
             "one), 0 for abstaining from a feasible one, and \xe2\x88\x92"
             "c for any other. Coverage is the share of questions that are answered, precision the share of right SQL "
             "among all SQL given.") +
         std::move(table).finish();
}

std::string figures_section(const HtmlReport& report) {
  std::vector<PlottedCounts> plotted;
  std::size_t systems = 0;
  for (const auto& row : report.totals) {
    if (!row.system || row.counts.total() == 0) continue;
    if (++systems <= max_plotted) plotted.push_back({report.systems[*row.system], *row.system, row.counts});
  }
  if (plotted.empty()) return {};
  std::optional<CaseCounts> abstain;
  if (const auto* row = abstaining(report); row != nullptr && row->counts.total() > 0) abstain = row->counts;
  const std::string note = plotted_note(systems, max_plotted);
  return "<div class=\"figures\">\n" +
         figure(plot_regions("regions", plotted),
                "<b>Outcomes of the questions.</b> Green is useful (its length is RS(0)), yellow neutral, hatched "
                "red harmful." +
                    note) +
         figure(plot_penalty("penalty", plotted, abstain),
                "<b>RS against the penalty c.</b> Marks at c = 0, 10 and N. Above the line at 0 (shaded) a system does "
                "more good than harm." +
                    note) +
         "</div>\n";
}

std::string counts_section(const HtmlReport& report) {
  const auto is_any_above_zero = [&](auto member) {
    return std::any_of(report.totals.begin(), report.totals.end(), [&](const auto& row) { return row.*member > 0; });
  };
  const bool skipped = is_any_above_zero(&ReportRow::skipped);
  const bool missing = is_any_above_zero(&ReportRow::missing);
  const bool fenced = is_any_above_zero(&ReportRow::fenced);
  const bool stopped = is_any_above_zero(&ReportRow::stopped);
  std::string note =
      "Feasible questions: I right SQL, II abstained, III wrong SQL. Infeasible ones: IV answered anyway, V "
      "abstained.";
  std::vector<std::string> headings = {"System", "N", "I", "II", "III", "IV", "V"};
  if (skipped) {
    headings.emplace_back("Skipped");
    note += " Skipped: could not be judged.";
  }
  if (missing) {
    headings.emplace_back("Missing");
    note += " Missing: the system has no row for the question.";
  }
  if (fenced) {
    headings.emplace_back("Fenced");
    note +=
        " Fenced: among III, predictions that fail because they stand in a Markdown fence; the option clean with "
        "fence judges what is inside.";
  }
  if (stopped) {
    headings.emplace_back("Stopped");
    note +=
        " Stopped: among III, predictions that were ended by a limit (timeout_ms, max_rows and the like), so whether "
        "they are right is not known.";
  }
  HtmlTable table("cases", "Number of questions by case", headings);
  for (const auto& row : report.totals) {
    begin_row(table, report, row);
    table.count(row.counts.total());
    for (const auto reliability_case : all_reliability_cases) table.count(row.counts[reliability_case]);
    if (skipped) table.count(row.skipped);
    if (missing) table.count(row.missing);
    if (fenced) table.count(row.fenced);
    if (stopped) table.count(row.stopped);
  }
  return paragraph(note, "note") + std::move(table).finish();
}

// A section of three scores; empty if no row has any.
std::string three_scores(const HtmlReport& report, std::string_view id, std::string_view title,
                         std::string_view caption, ReliabilityScores ReportRow::*member) {
  if (std::none_of(report.totals.begin(), report.totals.end(),
                   [&](const auto& row) { return (row.*member).c_0.has_value(); }))
    return {};
  HtmlTable table(id, caption, {"System", "RS(0)", "RS(10)", "RS(N)"});
  for (const auto& row : report.totals) {
    begin_row(table, report, row);
    const auto& scores = row.*member;
    for (const auto& score : {scores.c_0, scores.c_10, scores.c_n}) table.number(score);
  }
  return heading(title) + std::move(table).finish();
}

std::string pipeline_section(const HtmlReport& report) {
  // If the SQL before abstention is missing or the same as the answers, it tells nothing about a pipeline.
  const auto known = [](const ReportRow& row) {
    const auto& parts = row.parts;
    const bool sql = parts.sql.answered() > 0 && parts.sql != row.counts.feasible_only();
    return sql || parts.cls_kept.denominator + parts.cls_filtered.denominator + parts.error_feasible.denominator +
                          parts.error_infeasible.denominator >
                      0;
  };
  if (std::none_of(report.totals.begin(), report.totals.end(), known)) return {};
  HtmlTable table("parts", "Shares in percent",
                  {"System", "Let through", "Filtered", "SQL alone", "Detected, feasible", "Detected, infeasible"});
  for (const auto& row : report.totals) {
    if (!row.system || !known(row)) continue;
    begin_row(table, report, row);
    const auto& parts = row.parts;
    table.number(parts.cls_kept.value());
    table.number(parts.cls_filtered.value());
    table.number(parts.sql.answered() > 0 ? reliability_score(parts.sql, 0) : std::nullopt);
    table.number(parts.error_feasible.value());
    table.number(parts.error_infeasible.value());
  }
  return heading("Parts of the pipelines") +
         paragraph(
             "The detector of infeasible questions: feasible ones that it lets through, infeasible ones that it "
             "filters. SQL alone: right for a "
             "feasible question, before any abstention. The detector of wrong SQL: right SQL kept or wrong SQL held "
             "back; SQL for infeasible "
             "questions held back.",
             "note") +
         std::move(table).finish();
}

std::string further_sections(const HtmlReport& report) {
  std::string html;
  if (const auto* abstain_all = abstaining(report); abstain_all != nullptr && abstain_all->counts.infeasible() > 0) {
    html += three_scores(report, "feasible", "Feasible questions alone",
                         "In percent; N is the number of feasible questions", &ReportRow::feasible_rs);
  }
  if (report.options.infeasible_share) {
    const std::string share = plain_number(100 * *report.options.infeasible_share, 2) + "%";
    html += three_scores(report, "share", "If " + share + " of the questions were infeasible", "In percent",
                         &ReportRow::share_rs);
  }
  return html + pipeline_section(report);
}

std::string lede(const HtmlReport& report) {
  const auto systems = static_cast<std::int64_t>(report.systems.size());
  std::string text = print_count(systems) + (systems == 1 ? " system" : " systems");
  if (const auto* abstain_all = abstaining(report)) {
    const auto& counts = abstain_all->counts;
    text += ", " + print_count(counts.total()) + (counts.total() == 1 ? " question: " : " questions: ") +
            print_count(counts.feasible()) + " feasible, " + print_count(counts.infeasible()) + " infeasible";
  }
  return paragraph(text + ".", "lede");
}

std::string head(const HtmlReport& report, const std::string& title) {
  const std::string script = report.scripts ? "; script-src " + std::string(html_script_source()) : std::string();
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "base-uri 'none'; form-action 'none'" +
         script +
         "\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" "
         "content=\"no-referrer\">\n"
         "<meta name=\"generator\" content=\"trustsql " TRUSTSQL_VERSION "\">\n<title>" +
         title + "</title>\n<style>" + std::string(html_style()) + "</style>\n</head>\n";
}

std::string foot(const HtmlReport& report) {
  return "<footer>\n<p>Made by trustsql " TRUSTSQL_VERSION " from <code>" + html_text(cut_text(report.source, 400)) +
         "</code>. The numbers are those of rs_report, rounded.</p>\n</footer>\n";
}

std::string script(const HtmlReport& report) {
  return report.scripts ? "<script>" + std::string(html_script()) + "</script>\n" : std::string();
}

}  // namespace

}  // namespace page

std::string html_report(const HtmlReport& report) {
  const std::string title = html_text(cut_text(report.title, 200));
  std::string html = page::head(report, title) + "<body>\n" + plot::swatch_marks() + "<header>\n<h1>" + title +
                     "</h1>\n" + page::lede(report) + "</header>\n<main>\n";
  html += page::scores_section(report);
  html += page::figures_section(report);
  html += page::counts_section(report);
  html += page::further_sections(report);
  for (std::size_t i = 0; i < report.groups.size(); ++i) html += page::group_section(report, report.groups[i], i);
  html += page::confidence_section(report);
  html += page::errors_section(report);
  return html + "</main>\n" + page::foot(report) + page::script(report) + "</body>\n</html>\n";
}

}  // namespace trustsql
