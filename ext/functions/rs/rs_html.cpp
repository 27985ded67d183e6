// rs_html: the report as a page.

#include "base/ranking_metrics.hpp"
#include "base/text.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/functions/rs/rs_source.hpp"
#include "ext/options/threshold_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/execution_resources.hpp"
#include "ext/services/host_dialect.hpp"
#include "score/report/html_report.hpp"

namespace trustsql::ext {

namespace {

// A report has a section for each of these columns that its source has: the paper breaks its results down by them. If
// the source has the names of databases (db_id), they are used instead of the paths.
constexpr std::string_view usual_groups[] = {"hardness", "seen", "type", "db_id", "database"};

constexpr Option<std::string> title_option = {
    .key = "title", .description = "The heading of the page.", .default_value = "Reliability report"};
constexpr Option<std::optional<std::vector<std::string>>> sections_option = {
    .key = "by",
    .description =
        "Up to four columns of the source, each of which gets a section; by default hardness, seen, type and "
        "database, if the source has them and they do not have the same value in every row. [] for none."};
constexpr Option<ThresholdMethod> html_threshold_method_option = {
    .key = "method",
    .description =
        "How thresholds are chosen for systems with confidences: heuristic, rs or selective_risk, as in "
        "rs_threshold; for rs the penalty is c if that is given, else that of rs_threshold.",
    .default_value = threshold_method_option.default_value,
    .choices = threshold_methods};
constexpr Option<std::size_t> listed_errors_option = {
    .key = "errors",
    .description =
        "How many wrong answers of each system are listed, with gold query, prediction and why: the first ones of the "
        "source, at most 1000 for all systems together. 0 for none.",
    .default_value = 20,
    .min = 0,
    .max = 1000};
constexpr Option<std::int64_t> counterexample_budget_option = {
    .key = "counterexample_ms",
    .description =
        "The time in milliseconds for finding counterexamples to the listed answers, for all of them together. The "
        "page "
        "says where the time was over. 0 for none.",
    .default_value = ExplanationOptions{}.budget.count(),
    .min = 0,
    .max = 3'600'000};
constexpr Option<bool> scripts_option = {
    .key = "scripts",
    .description = "Whether the page has a script, which sorts a table by the heading that is clicked.",
    .default_value = false};
constexpr auto html_options =
    option_table(title_option, sections_option, listed_errors_option, counterexample_budget_option, scripts_option,
                 html_threshold_method_option, alpha_option, delta_option, report_options);
constexpr std::size_t most_errors = 1000;  // on a page

ThresholdOptions html_threshold_options_of(const Options& options, const ReportOptions& report) {
  ThresholdOptions threshold;
  threshold.method = options.get(html_threshold_method_option);
  threshold.c = report.c.value_or(threshold.c);
  threshold.alpha = options.get(alpha_option);
  threshold.delta = options.get(delta_option);
  return threshold;
}

// The columns that the page has sections for, if the caller named none.
Result<std::vector<std::string>> usual_groups_of(Session& session, std::string_view source) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto opened, RowSource::open(session.host(), source));
  std::vector<std::string> available;
  for (const auto name : usual_groups)
    if (opened.find(name) && !(name == "database" && opened.find("db_id"))) available.emplace_back(name);
  return available;
}

std::string value_name(const Value& value) { return view(value).is_null() ? "(none)" : format_value(view(value)); }

// The report by the column with number `column` among those that `table` is grouped by. It has no intervals, since the
// page shows none there.
Result<ReportByColumn> report_by(Session& session, const OutcomeTable& table, ReportOptions options, std::size_t column,
                                 std::size_t threads) {
  options.by_group = true;
  options.bootstrap.replicates = 0;
  const auto grouping = Grouping::by_one(table, column);
  ReportByColumn by;
  for (const auto& values : grouping.values) by.values.push_back(value_name(values[0]));
  TRUSTSQL_ASSIGN_OR_RETURN(
      by.rows, reliability_report(table, options, grouping, threads, [&] { return session.database().interrupted(); }));
  return by;
}

// The curves and thresholds of the systems that have a confidence for each of their answers; `report.unranked` names
// those that have it for some of them only.
Status add_confidences(const OutcomeTable& table, HtmlReport& report) {
  struct Samples {
    std::vector<ConfidentCase> cases;
    std::vector<LabelledScore> answers;
    bool without_confidence = false;
  };
  std::vector<Samples> systems(table.systems().size());
  for (const auto& row : table.rows()) {
    if (!row.reliability_case) continue;
    Samples& system = systems[row.system];
    system.cases.push_back({row.confidence, *row.reliability_case});
    if (!is_answered(*row.reliability_case)) continue;
    system.without_confidence = system.without_confidence || !row.confidence;
    if (row.confidence) system.answers.push_back({*row.confidence, is_useful(*row.reliability_case)});
  }
  for (std::uint32_t i = 0; i < systems.size(); ++i) {
    auto& samples = systems[i];
    if (samples.answers.empty()) continue;
    if (samples.without_confidence) {
      report.unranked.push_back(report.systems[i]);
      continue;
    }
    PlottedConfidence plotted;
    plotted.system = report.systems[i];
    plotted.index = i;
    TRUSTSQL_ASSIGN_OR_RETURN(plotted.ranking, ConfidenceRanking::create(samples.cases));
    plotted.curve = risk_curve(plotted.ranking);
    plotted.threshold = choose_threshold(plotted.ranking, report.threshold);
    plotted.aurc = aurc(samples.answers);
    report.confidences.push_back(std::move(plotted));
  }
  return ok_status();
}

// The wrong answers of a page, with the kinds of their errors and counterexamples.
Result<std::vector<ExplainedError>> explained_errors(Session& session, const SharedScope& scope, const Options& options,
                                                     WrongAnswers wrong_answers) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto exec, exec_options(options));
  ExplanationOptions explanation;
  explanation.budget = std::chrono::milliseconds(options.get(counterexample_budget_option));
  explanation.columns_in_order = exec.semantics == ExecSemantics::strict;
  explanation.cleaning = exec.cleaning;
  explanation.threads = threads_of(session);
  const ExplanationContext context = {[&](const std::optional<std::string>& database) {
                                        return session.database().open(database, session.settings(), scope.get());
                                      },
                                      SandboxLimits::from(session.settings()), built_in_dialect(),
                                      [&] { return session.database().interrupted(); }};
  return explain_errors(std::move(wrong_answers).take(most_errors), explanation, context);
}

Result<std::string> rs_html(Session& session, const SharedScope& scope, std::string_view source,
                            const Options& options) {
  HtmlReport report;
  report.title = options.get(title_option);
  report.source = source;
  TRUSTSQL_ASSIGN_OR_RETURN(report.options, report_options_of(options));
  report.threshold = html_threshold_options_of(options, report.options);

  auto columns = options.get(sections_option);
  const bool chosen = columns.has_value();
  if (!chosen) {
    TRUSTSQL_ASSIGN_OR_RETURN(columns, usual_groups_of(session, source));
  }
  WrongAnswers wrong_answers(options.get(listed_errors_option));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto table,
                            read_report_source(session, scope, source, options, *columns, &wrong_answers));
  for (std::uint32_t i = 0; i < table.systems().size(); ++i) {
    const auto& name = table.systems().name(i);
    report.systems.push_back(name.empty() ? "(unnamed)" : name);
  }
  const auto threads = threads_of(session);
  TRUSTSQL_ASSIGN_OR_RETURN(report.totals, reliability_report(table, report.options, threads,
                                                              [&] { return session.database().interrupted(); }));
  for (std::size_t i = 0; i < columns->size(); ++i) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto grouped, report_by(session, table, report.options, i, threads));
    if (!chosen && grouped.values.size() < 2) continue;
    grouped.column = (*columns)[i];
    report.groups.push_back(std::move(grouped));
  }
  TRUSTSQL_RETURN_IF_ERROR(add_confidences(table, report));
  TRUSTSQL_ASSIGN_OR_RETURN(report.errors, explained_errors(session, scope, options, std::move(wrong_answers)));
  report.scripts = options.get(scripts_option);
  return html_report(report);
}

}  // namespace

std::span<const FunctionSpec> rs_html_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<rs_html>(
          {.name = "rs_html",
           .signature = "rs_html(source [, opts])",
           .summary =
               "One self-contained HTML page: scores, cases, the parts of pipelines, groups, risk-coverage curves and "
               "thresholds, as tables (with a link that saves each as CSV) and figures; and the questions that went "
               "wrong, with the gold query, the prediction, the kind of error and a counterexample if one is found. In "
               "the sqlite3 shell: SELECT writefile('report.html', rs_html('predictions')).",
           .example = "SELECT substr(rs_html('predictions'), 1, 15); -- <!DOCTYPE html>",
           .options = html_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
