// rs_report, rs_curve, rs_diff: tables over a `source` of predictions (TrustSQL, Tables 3, 4 and 8 to 13; Appendix C.2;
// DART-SQL, Table 4).

#include "base/text.hpp"
#include "ext/functions/rs/rs_source.hpp"
#include "ext/registry.hpp"
#include "ext/services/execution_resources.hpp"
#include "score/reliability/risk_curve.hpp"
#include "score/reliability/system_diff.hpp"

namespace trustsql::ext {

namespace {

// The name of a system; NULL if the source has none.
std::optional<std::string_view> system_name(const OutcomeTable& table, std::uint32_t system) {
  const std::string& name = table.systems().name(system);
  if (name.empty()) return std::nullopt;
  return name;
}

// --- rs_report -----------------------------------------------------------------------------------------------------

constexpr std::string_view report_columns =
    "system TEXT, level TEXT, grp1, grp2, grp3, grp4, n INTEGER, skipped INTEGER, missing INTEGER, "
    "i INTEGER, ii INTEGER, iii INTEGER, iv INTEGER, v INTEGER, "
    "rs_0 REAL, rs_0_low REAL, rs_0_high REAL, rs_10 REAL, rs_10_low REAL, rs_10_high REAL, rs_n REAL, rs_n_low REAL, "
    "rs_n_high REAL, "
    "rs_c REAL, rs_c_low REAL, rs_c_high REAL, "
    "coverage REAL, precision REAL, precision_low REAL, precision_high REAL, feasible_answers INTEGER, "
    "infeasible_answers INTEGER, "
    "feasible_n INTEGER, feasible_rs_0 REAL, feasible_rs_10 REAL, feasible_rs_n REAL, "
    "share_rs_0 REAL, share_rs_10 REAL, share_rs_n REAL, "
    "cls_feasible_n INTEGER, cls_kept REAL, cls_infeasible_n INTEGER, cls_filtered REAL, "
    "sql_n INTEGER, sql_right INTEGER, sql_rs_0 REAL, sql_rs_10 REAL, sql_rs_n REAL, "
    "error_feasible_n INTEGER, error_feasible REAL, error_infeasible_n INTEGER, error_infeasible REAL, "
    "fenced INTEGER, stopped INTEGER";

constexpr Option<std::optional<std::vector<std::string>>> by_option = {
    .key = "by",
    .description =
        "Up to four columns of the source, for example [\"seen\", \"hardness\"]: in addition to the totals "
        "there is a row for each combination of their values, which are in grp1 to grp4."};
constexpr auto rs_report_options = option_table(by_option, report_options);

void write_scores(RowWriter& rows, const ReliabilityScores& scores) { rows.write(scores.c_0, scores.c_10, scores.c_n); }

void write_share(RowWriter& rows, const Share& share) { rows.write(share.denominator, share.value()); }

void write_row(RowWriter& rows, const ReportRow& row, const OutcomeTable& table) {
  rows.write(row.system ? system_name(table, *row.system) : "ABSTAIN-ALL",
             std::string_view(row.group ? "group" : "total"));
  for (std::size_t i = 0; i < max_group_columns; ++i) {
    const bool has_value = row.group && i < table.groups()[*row.group].size();
    rows.write(has_value ? trustsql::view(table.groups()[*row.group][i]) : ValueView::null());
  }
  rows.write(row.counts.total(), row.skipped, row.missing);
  for (const auto count : row.counts.by_case) rows.write(count);
  rows.write(row.rs.c_0, row.intervals.rs_0, row.rs.c_10, row.intervals.rs_10, row.rs.c_n, row.intervals.rs_n, row.rs_c,
             row.intervals.rs_c);
  rows.write(coverage(row.counts), answer_precision(row.counts), row.intervals.precision);
  rows.write(row.counts.feasible_only().answered(), row.counts.infeasible_only().answered(), row.counts.feasible());
  write_scores(rows, row.feasible_rs);
  write_scores(rows, row.share_rs);
  write_share(rows, row.parts.cls_kept);
  write_share(rows, row.parts.cls_filtered);
  rows.write(row.parts.sql.total(), row.parts.sql[ReliabilityCase::I]);
  write_scores(rows, reliability_scores(row.parts.sql));
  write_share(rows, row.parts.error_feasible);
  write_share(rows, row.parts.error_infeasible);
  rows.write(row.fenced, row.stopped);
}

Result<ResultSet> rs_report(Session& session, const SharedScope& scope, std::string_view source,
                            const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto report, report_options_of(options));
  report.by_group = options.has(by_option);
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto table,
      read_report_source(session, scope, source, options, options.get(by_option).value_or(std::vector<std::string>())));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto report_rows, reliability_report(table, report, threads_of(session), [&] {
                              return session.database().interrupted();
                            }));
  RowWriter rows(report_columns);
  for (const auto& row : report_rows) write_row(rows, row, table);
  return std::move(rows).finish();
}

// --- rs_curve ------------------------------------------------------------------------------------------------------

constexpr std::string_view curve_columns =
    "system TEXT, confidence REAL, answers INTEGER, cumulative INTEGER, coverage REAL, selective_risk REAL, rs_0 REAL, "
    "rs_10 REAL, rs_n REAL";

Result<ResultSet> rs_curve(Session& session, const SharedScope& scope, std::string_view source,
                           const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto table, read_source(session, scope, source, options, {.needs_confidence = true}));
  std::vector<std::vector<ConfidentCase>> samples(table.systems().size());
  for (const auto& row : table.rows())
    if (row.reliability_case) samples[row.system].push_back({row.confidence, *row.reliability_case});
  RowWriter rows(curve_columns);
  for (std::uint32_t system = 0; system < samples.size(); ++system) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto ranking, ConfidenceRanking::create(samples[system]));
    for (const auto& point : risk_curve(ranking)) {
      rows.write(system_name(table, system), point.confidence, point.answers, point.cumulative, point.coverage,
                 point.selective_risk);
      rows.write(point.rs_0, point.rs_10, point.rs_n);
    }
  }
  return std::move(rows).finish();
}

// --- rs_diff -------------------------------------------------------------------------------------------------------

constexpr std::string_view diff_columns =
    "system_a TEXT, system_b TEXT, kind TEXT, fixed INTEGER, introduced INTEGER, withheld INTEGER, exposed INTEGER, "
    "errors_a INTEGER, errors_b "
    "INTEGER, "
    "n INTEGER, gained INTEGER, lost INTEGER, mcnemar_p REAL, mcnemar_mid_p REAL, mcnemar_chi2 REAL, "
    "rs_0_a REAL, rs_0_b REAL, rs_0_diff REAL, rs_0_low REAL, rs_0_high REAL, "
    "rs_10_a REAL, rs_10_b REAL, rs_10_diff REAL, rs_10_low REAL, rs_10_high REAL, "
    "rs_n_a REAL, rs_n_b REAL, rs_n_diff REAL, rs_n_low REAL, rs_n_high REAL";
constexpr std::size_t diff_statistics = 21;  // columns that only the total has: from n on

constexpr Option<std::optional<std::string>> first_system_option = {
    .key = "a",
    .description =
        "The first system; if neither a nor b is given, the source must have two systems, and a is that of "
        "the first row."};
constexpr Option<std::optional<std::string>> second_system_option = {.key = "b", .description = "The second system."};
constexpr auto diff_options = option_table(first_system_option, second_system_option, interval_options, source_options);

void write_changes(RowWriter& rows, const std::string& a, const std::string& b, std::string_view kind,
                   const ErrorChanges& changes) {
  rows.write(a, b, kind, changes.fixed, changes.introduced, changes.withheld, changes.exposed, changes.errors_a,
             changes.errors_b);
}

void write_difference(RowWriter& rows, const ScoreDifference& scores) {
  rows.write(scores.a, scores.b, scores.b - scores.a, scores.interval);
}

Result<ResultSet> rs_diff(Session& session, const SharedScope& scope, std::string_view source, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto table,
                            read_source(session, scope, source, options, {.cluster = options.get(cluster_option)}));
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto pair, systems_to_compare(table, options.get(first_system_option), options.get(second_system_option)));
  const DiffOptions comparison = {.missing = options.get(missing_option),
                                  .clustered = options.has(cluster_option),
                                  .bootstrap = bootstrap_options_of(options)};
  const auto interrupted = [&] { return session.database().interrupted(); };
  TRUSTSQL_ASSIGN_OR_RETURN(const auto diff, compare_systems(table, pair.first, pair.second, comparison, interrupted));
  const std::string& a = table.systems().name(pair.first);
  const std::string& b = table.systems().name(pair.second);
  RowWriter rows(diff_columns);
  write_changes(rows, a, b, "total", diff.total);
  rows.write(diff.n, diff.gained, diff.lost, diff.test.exact, diff.test.mid_p, diff.test.chi_squared);
  for (const auto* scores : {&diff.rs_0, &diff.rs_10, &diff.rs_n}) write_difference(rows, *scores);
  for (const auto& changes : diff.kinds) {
    write_changes(rows, a, b, changes.kind, changes);
    for (std::size_t i = 0; i < diff_statistics; ++i) rows.write(std::nullopt);
  }
  return std::move(rows).finish();
}

}  // namespace

std::span<const FunctionSpec> rs_report_functions() {
  static constexpr FunctionSpec functions[] = {
      table<rs_report>(
          {.name = "rs_report",
           .signature = "rs_report(source [, opts])",
           .summary = "One row for ABSTAIN-ALL and each system, in total and by groups (opts by): the counts of the "
                      "five cases, RS(0), RS(10), RS(N) and bootstrap intervals, coverage, precision of answers (where "
                      "all of them are right or all wrong, with the exact interval of Clopper and Pearson), RS on "
                      "feasible questions alone, and the separate results of CLS, SQL generation and ERROR. fenced and "
                      "stopped count predictions in case III that fail because they stand in a Markdown fence (which "
                      "{\"clean\":[\"fence\"]} removes), and that a limit such as timeout_ms ended. Scores and shares "
                      "are in percent; N is the row's own n.",
           .example = "SELECT system, n, rs_0, rs_10, rs_n, precision FROM rs_report('predictions'); -- "
                      "ABSTAIN-ALL | 4 | 25.0 | 25.0 | 25.0 | NULL; bold | "
                      "4 | 50.0 | -450.0 | -150.0 | 50.0; careful | 4 | 75.0 | 75.0 | 75.0 | 100.0",
           .columns = report_columns,
           .options = rs_report_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<rs_curve>(
          {.name = "rs_curve",
           .signature = "rs_curve(source [, opts])",
           .summary = "For each system, the effect of abstaining below each of its confidences: answers, correct "
                      "answers minus wrong ones (Figure 2), coverage, selective risk (the share of wrong answers among "
                      "those given), RS(0), RS(10), RS(N), in percent. The first row, without a confidence, abstains "
                      "from everything. The source must have a column confidence.",
           .example = "SELECT confidence, cumulative, coverage, selective_risk FROM rs_curve('SELECT * "
                      "FROM predictions WHERE system = ''bold''') LIMIT 3; "
                      "-- NULL | 0 | 0.0 | NULL; 0.9 | 1 | 25.0 | 0.0; 0.8 | 2 | 50.0 | 0.0",
           .columns = curve_columns,
           .options = source_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<rs_diff>(
          {.name = "rs_diff",
           .signature = "rs_diff(source [, opts])",
           .summary =
               "Two systems on the same questions. Errors are wrong answers (III, IV), by kind (column error_kind of "
               "the source): fixed and introduced (the other system is correct), withheld and exposed (the other "
               "abstains although the question is feasible). The row 'total', which comes first, has McNemar's test on "
               "correctness (gained, lost) and the differences in RS, b minus a, with paired bootstrap intervals.",
           .example = "SELECT kind, fixed, introduced, withheld, mcnemar_p, rs_10_diff FROM "
                      "rs_diff('predictions'); -- total | 1 | 0 | 1 | 1.0 | 525.0; "
                      "infeasible | 1 | 0 | 0 | NULL | NULL; unclassified | 0 | 0 | 1 | NULL | NULL",
           .columns = diff_columns,
           .options = diff_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
