#include "score/html_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/text.hpp"
#include "score/html_style.hpp"
#include "score/html_table.hpp"
#include "score/html_text.hpp"

namespace trustsql {

namespace {

constexpr std::size_t most_plotted = 24;
constexpr std::size_t most_thresholds = 12;   // systems with figures of their thresholds
constexpr std::size_t most_group_rows = 600;  // of a table by a column
constexpr std::string_view abstain_all = "ABSTAIN-ALL";

std::string paragraph(std::string_view text) { return "<p>" + html_text(text) + "</p>\n"; }
std::string heading(std::string_view text) { return "<h2>" + html_text(text) + "</h2>\n"; }

// `caption` is HTML.
std::string figure(std::string svg, std::string_view caption) {
  return "<figure>\n" + std::move(svg) + "\n<figcaption>" + std::string(caption) + "</figcaption>\n</figure>\n";
}

std::string name_of(const HtmlReport& report, const ReportRow& row) { return row.system ? report.systems[*row.system] : std::string(abstain_all); }

std::string penalty_name(const Penalty& c) { return c.is_n() ? "N" : plain_number(c.value(0), 6); }

// Columns of scores: their headings, and the value that a row has in each.
struct ScoreColumn {
  std::string name;
  std::optional<double> (*value)(const ReportRow& row);
  std::optional<Interval> (*interval)(const ReportRow& row);
};

std::optional<Interval> no_interval(const ReportRow&) { return std::nullopt; }

std::vector<ScoreColumn> score_columns(const HtmlReport& report) {
  std::vector<ScoreColumn> columns = {
      {"RS(0)", [](const ReportRow& row) { return row.rs.c_0; }, [](const ReportRow& row) { return row.intervals.rs_0; }},
      {"RS(10)", [](const ReportRow& row) { return row.rs.c_10; }, [](const ReportRow& row) { return row.intervals.rs_10; }},
      {"RS(N)", [](const ReportRow& row) { return row.rs.c_n; }, [](const ReportRow& row) { return row.intervals.rs_n; }},
  };
  if (report.options.c) {
    columns.push_back({"RS(" + penalty_name(*report.options.c) + ")", [](const ReportRow& row) { return row.rs_c; },
                       [](const ReportRow& row) { return row.intervals.rs_c; }});
  }
  columns.push_back({"Coverage", [](const ReportRow& row) { return coverage(row.counts); }, no_interval});
  columns.push_back(
      {"Precision", [](const ReportRow& row) { return answer_precision(row.counts); }, [](const ReportRow& row) { return row.intervals.precision; }});
  return columns;
}

std::vector<std::string> headings(std::string_view first, const std::vector<ScoreColumn>& columns) {
  std::vector<std::string> names{std::string(first)};
  for (const auto& column : columns) names.push_back(column.name);
  return names;
}

// For each column the largest value among the systems of `rows`; nullopt where all have the same.
std::vector<std::optional<double>> best_of(const std::vector<const ReportRow*>& rows, const std::vector<ScoreColumn>& columns) {
  std::vector<std::optional<double>> best(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == "Coverage") continue;  // more is not better
    std::optional<double> worst;
    for (const auto* row : rows) {
      const auto value = columns[i].value(*row);
      if (!row->system || !value) continue;
      best[i] = std::max(best[i].value_or(*value), *value);
      worst = std::min(worst.value_or(*value), *value);
    }
    if (best[i] == worst) best[i].reset();
  }
  return best;
}

void write_scores(HtmlTable& table, const HtmlReport& report, const std::vector<const ReportRow*>& rows, const std::vector<ScoreColumn>& columns) {
  const auto best = best_of(rows, columns);
  for (const auto* row : rows) {
    table.row(name_of(report, *row), row->system ? "" : "abstain-all", row->system);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto value = columns[i].value(*row);
      table.number(value, {.interval = columns[i].interval(*row), .best = row->system && best[i] && value == best[i]});
    }
  }
}

std::vector<const ReportRow*> pointers(const std::vector<ReportRow>& rows) {
  std::vector<const ReportRow*> found;
  for (const auto& row : rows) found.push_back(&row);
  return found;
}

const ReportRow* abstaining(const HtmlReport& report) {
  for (const auto& row : report.totals)
    if (!row.system) return &row;
  return nullptr;
}

std::string interval_note(const HtmlReport& report) {
  const auto& bootstrap = report.options.bootstrap;
  if (bootstrap.replicates == 0) return {};
  return " Below a score its " + plain_number(100 * bootstrap.level, 2) + "% interval (bootstrap of " + print_count(bootstrap.replicates) + " " +
         (report.options.clustered ? "draws of databases" : "draws of questions") + ").";
}

std::string scores_section(const HtmlReport& report) {
  const auto columns = score_columns(report);
  HtmlTable table("scores", "Scores in percent." + interval_note(report), headings("System", columns));
  write_scores(table, report, pointers(report.totals), columns);
  return heading("Reliability") +
         paragraph(
             "RS(c) is the mean over all questions of 1 for a right answer (right SQL for a feasible question, abstention from an infeasible "
             "one), 0 for abstaining from a feasible one, and \xe2\x88\x92"
             "c for any other. Coverage is the share of questions that are answered, "
             "precision the share of right SQL among all SQL given.") +
         std::move(table).finish();
}

std::string plotted_note(std::size_t systems, std::size_t most) {
  return systems <= most ? "" : " The first " + std::to_string(most) + " of " + std::to_string(systems) + " systems are drawn; the table has all.";
}

std::string figures_section(const HtmlReport& report) {
  std::vector<PlottedCounts> plotted;
  std::size_t systems = 0;
  for (const auto& row : report.totals) {
    if (!row.system || row.counts.total() == 0) continue;
    if (++systems <= most_plotted) plotted.push_back({report.systems[*row.system], *row.system, row.counts});
  }
  if (plotted.empty()) return {};
  std::optional<CaseCounts> abstain;
  if (const auto* row = abstaining(report); row != nullptr && row->counts.total() > 0) abstain = row->counts;
  const std::string note = plotted_note(systems, most_plotted);
  return "<div class=\"figures\">\n" +
         figure(plot_regions("regions", plotted),
                "<b>What became of the questions.</b> Green is useful (its length is RS(0)), yellow neutral, hatched red harmful." + note) +
         figure(plot_penalty("penalty", plotted, abstain),
                "<b>RS against the penalty c.</b> Marks at c = 0, 10 and N. Above the line at 0 (shaded) a system is of more use than harm." + note) +
         "</div>\n";
}

std::string counts_section(const HtmlReport& report) {
  const auto any = [&](auto member) {
    return std::any_of(report.totals.begin(), report.totals.end(), [&](const auto& row) { return row.*member > 0; });
  };
  const bool skipped = any(&ReportRow::skipped);
  const bool missing = any(&ReportRow::missing);
  std::vector<std::string> columns = {"System", "N", "I", "II", "III", "IV", "V"};
  if (skipped) columns.emplace_back("Skipped");
  if (missing) columns.emplace_back("Missing");
  std::string caption =
      "Number of questions by case. Feasible: I right SQL, II abstained, III wrong SQL. Infeasible: IV answered all the same, V abstained.";
  if (skipped) caption += " Skipped: could not be judged.";
  if (missing) caption += " Missing: the system has no row for the question.";
  HtmlTable table("cases", caption, columns);
  for (const auto& row : report.totals) {
    table.row(name_of(report, row), row.system ? "" : "abstain-all", row.system);
    table.count(row.counts.total());
    for (const auto reliability_case : all_reliability_cases) table.count(row.counts[reliability_case]);
    if (skipped) table.count(row.skipped);
    if (missing) table.count(row.missing);
  }
  return std::move(table).finish();
}

// A table of three scores, or nothing where no row has any.
std::string three_scores(const HtmlReport& report, std::string_view id, std::string_view caption, ReliabilityScores ReportRow::*member) {
  if (std::none_of(report.totals.begin(), report.totals.end(), [&](const auto& row) { return (row.*member).c_0.has_value(); })) return {};
  HtmlTable table(id, caption, {"System", "RS(0)", "RS(10)", "RS(N)"});
  for (const auto& row : report.totals) {
    table.row(name_of(report, row), row.system ? "" : "abstain-all", row.system);
    const auto& scores = row.*member;
    for (const auto& score : {scores.c_0, scores.c_10, scores.c_n}) table.number(score);
  }
  return std::move(table).finish();
}

std::string pipeline_section(const HtmlReport& report) {
  // Where SQL before abstention is what was answered, or there is none, nothing is known of a pipeline.
  const auto known = [](const ReportRow& row) {
    const auto& parts = row.parts;
    const bool sql = parts.sql.answered() > 0 && parts.sql != row.counts.feasible_only();
    return sql ||
           parts.cls_kept.denominator + parts.cls_filtered.denominator + parts.error_feasible.denominator + parts.error_infeasible.denominator > 0;
  };
  if (std::none_of(report.totals.begin(), report.totals.end(), known)) return {};
  HtmlTable table(
      "parts",
      "In percent. Detector of infeasible questions: feasible ones let through, infeasible ones filtered. SQL alone: right before any "
      "abstention, of feasible questions. Detector of wrong SQL: right SQL kept or wrong SQL held back; SQL for infeasible questions held "
      "back.",
      {"System", "Let through", "Filtered", "SQL alone", "Detected, feasible", "Detected, infeasible"});
  for (const auto& row : report.totals) {
    if (!row.system || !known(row)) continue;
    table.row(name_of(report, row), {}, row.system);
    table.number(row.parts.cls_kept.value());
    table.number(row.parts.cls_filtered.value());
    table.number(row.parts.sql.answered() > 0 ? reliability_score(row.parts.sql, 0) : std::nullopt);
    table.number(row.parts.error_feasible.value());
    table.number(row.parts.error_infeasible.value());
  }
  return heading("Parts of the pipelines") + std::move(table).finish();
}

std::string further_sections(const HtmlReport& report) {
  std::string html;
  const auto* all = abstaining(report);
  if (all != nullptr && all->counts.infeasible() > 0) {
    const auto table =
        three_scores(report, "feasible", "Scores in percent on the feasible questions alone; N is their number.", &ReportRow::feasible_rs);
    if (!table.empty()) html += heading("Feasible questions alone") + table;
  }
  if (report.options.infeasible_share) {
    const std::string share = plain_number(100 * *report.options.infeasible_share, 2) + "%";
    const auto table = three_scores(report, "share", "Scores in percent if " + share + " of the questions were infeasible.", &ReportRow::share_rs);
    if (!table.empty()) html += heading("At another share of infeasible questions") + table;
  }
  return html + pipeline_section(report);
}

// --- groups --------------------------------------------------------------------------------------------------------

std::string group_section(const HtmlReport& report, const ReportByColumn& by, std::size_t number) {
  std::vector<std::uint32_t> order;  // the groups as the rows have them
  std::map<std::uint32_t, std::vector<const ReportRow*>> rows;
  for (const auto& row : by.rows) {
    if (!row.group) continue;
    auto& of_group = rows[*row.group];
    if (of_group.empty()) order.push_back(*row.group);
    of_group.push_back(&row);
  }
  if (order.empty()) return {};
  // Of too many groups those with the most questions are kept, in their order.
  const auto size_of = [&](std::uint32_t group) {
    std::int64_t most = 0;
    for (const auto* row : rows[group]) most = std::max(most, row->counts.total());
    return most;
  };
  std::vector<std::uint32_t> kept = order;
  std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) { return size_of(a) > size_of(b); });
  std::size_t listed = 0;
  std::size_t keep = 0;
  while (keep < kept.size() && (keep == 0 || listed + rows[kept[keep]].size() <= most_group_rows)) listed += rows[kept[keep++]].size();
  kept.resize(keep);
  std::erase_if(order, [&](std::uint32_t group) { return std::find(kept.begin(), kept.end(), group) == kept.end(); });

  auto columns = score_columns(report);
  for (auto& column : columns) column.interval = no_interval;
  std::string caption = "Scores in percent by " + cut_text(by.column, 60) + "; N is the number of questions of the group.";
  if (order.size() < rows.size())
    caption += " The " + std::to_string(order.size()) + " largest of " + std::to_string(rows.size()) + " groups; rs_report has all.";
  HtmlTable table("by-" + std::to_string(number), caption, headings("System", columns));
  for (const auto group : order) {
    table.group(by.values[group] + " (N = " + print_count(size_of(group)) + ")");
    write_scores(table, report, rows[group], columns);
  }
  return heading("By " + cut_text(by.column, 60)) + std::move(table).finish();
}

// --- confidences ---------------------------------------------------------------------------------------------------

std::string method_text(const ThresholdOptions& options) {
  switch (options.method) {
    case ThresholdMethod::heuristic: return "at which right less wrong answers, summed up by descending confidence, are largest";
    case ThresholdMethod::rs: return "at which RS(" + penalty_name(options.c) + ") is largest";
    case ThresholdMethod::selective_risk:
      return "that answers most with at most " + plain_number(100 * options.alpha, 4) + "% of the answers wrong, with probability " +
             plain_number(1 - options.delta, 6);
  }
  return {};
}

std::string confidence_section(const HtmlReport& report) {
  std::string unranked;
  if (!report.unranked.empty()) {
    std::vector<std::string> names;
    for (const auto& name : report.unranked) names.push_back(cut_text(name, 60));
    unranked = paragraph("Without a confidence for some of their answers, hence not ranked: " + join(names, ", ") + ".");
  }
  if (report.confidences.empty()) return unranked.empty() ? unranked : heading("Confidence") + unranked;
  HtmlTable table("thresholds",
                  "In percent but for threshold, number of answers and AURC. The threshold of a system is the one " + method_text(report.threshold) +
                      ", on these very questions; scores with it are therefore optimistic. AURC: the area under the risk-coverage curve of all "
                      "answers.",
                  {"System", "Threshold", "Answers", "Coverage", "Risk", "RS(0)", "RS(10)", "RS(N)", "Risk of all answers", "AURC"});
  for (const auto& system : report.confidences) {
    const auto& at = system.at_threshold();
    table.row(system.system, {}, system.index);
    if (system.threshold) {
      table.number(system.threshold, {.digits = 4});
    } else {
      table.text("abstains");
    }
    table.count(at.answers);
    table.number(at.coverage);
    table.number(at.selective_risk);
    table.number(at.rs_0);
    table.number(at.rs_10);
    table.number(at.rs_n);
    table.number(system.curve.back().selective_risk);
    table.number(system.aurc, {.digits = 3});
  }
  std::vector<PlottedConfidence> drawn(report.confidences.begin(),
                                       report.confidences.begin() + static_cast<std::ptrdiff_t>(std::min(report.confidences.size(), most_plotted)));
  std::string html = heading("Confidence") + std::move(table).finish() + unranked + "<div class=\"figures\">\n" +
                     figure(plot_risk_coverage("risk", drawn),
                            "<b>Risk against coverage</b> when only the most confident answers are given. The mark is the threshold." +
                                plotted_note(report.confidences.size(), most_plotted));
  for (std::size_t i = 0; i < std::min(drawn.size(), most_thresholds); ++i) {
    const auto& system = drawn[i];
    html +=
        figure(plot_threshold("threshold-" + std::to_string(i), system),
               "<b>" + html_text(cut_text(system.system, 80)) + ".</b> " +
                   (system.threshold ? "Threshold " + html_text(print_significant(*system.threshold)) + " (dashed): answers are given to its left."
                                     : std::string("No threshold is worth answering.")) +
                   (i + 1 == most_thresholds ? html_text(plotted_note(report.confidences.size(), most_thresholds)) : std::string()));
  }
  return html + "</div>\n";
}

std::string lede(const HtmlReport& report) {
  const auto systems = static_cast<std::int64_t>(report.systems.size());
  std::string text = print_count(systems) + (systems == 1 ? " system" : " systems");
  if (const auto* all = abstaining(report)) {
    const auto& counts = all->counts;
    text += ", " + print_count(counts.total()) + (counts.total() == 1 ? " question: " : " questions: ") + print_count(counts.feasible()) +
            " feasible, " + print_count(counts.infeasible()) + " infeasible";
  }
  return "<p class=\"lede\">" + html_text(text) + ".</p>\n";
}

}  // namespace

std::string html_report(const HtmlReport& report) {
  const std::string title = html_text(cut_text(report.title, 200));
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"trustsql " TRUSTSQL_VERSION "\">\n<title>" +
      title + "</title>\n<style>" + std::string(html_style()) + "</style>\n</head>\n<body>\n<header>\n<h1>" + title + "</h1>\n" + lede(report) +
      "</header>\n<main>\n";
  html += scores_section(report);
  html += figures_section(report);
  html += counts_section(report);
  html += further_sections(report);
  for (std::size_t i = 0; i < report.groups.size(); ++i) html += group_section(report, report.groups[i], i);
  html += confidence_section(report);
  html += "</main>\n<footer>\n<p>Made by trustsql " TRUSTSQL_VERSION " from <code>" + html_text(cut_text(report.source, 400)) +
          "</code>. Scores are those of TrustSQL (penalty-based scoring); numbers on this page are rounded, rs_report gives them in full.</p>\n"
          "</footer>\n</body>\n</html>\n";
  return html;
}

}  // namespace trustsql
