// The report on systems: everything in TrustSQL's Tables 3, 4 and 8 to 13, with one row for each system and group of
// questions.
//
//   Table 3   rs_0, rs_10, rs_n, with the row ABSTAIN-ALL
//   Table 4   feasible_rs; its shaded cells (SQL without abstention): sql_rs
//   Table 8   precision = i / (feasible_answers + infeasible_answers)
//   Table 9   cls_kept, by seen and hardness        Table 10  cls_filtered, by type
//   Table 11  sql_rs[0], by seen and hardness
//   Table 12  error_feasible, by seen and hardness  Table 13  error_infeasible, by type
//
// All scores and shares are in percent.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "score/reliability/outcome_table.hpp"
#include "score/reliability/reliability.hpp"
#include "score/statistics/bootstrap.hpp"

namespace trustsql {

// A share as numerator and denominator.
struct Share {
  std::int64_t numerator = 0;
  std::int64_t denominator = 0;
  std::optional<double> value() const { return percent(numerator, denominator); }
  Share& operator+=(const Share& other) {
    numerator += other.numerator;
    denominator += other.denominator;
    return *this;
  }
};

// How well each part of a pipeline does on its own. Questions for which a part's verdict is unknown count in none of
// its shares.
struct PipelineCounts {
  Share cls_kept;      // feasible questions that CLS lets through (Table 9)
  Share cls_filtered;  // infeasible questions that CLS filters out (Table 10)
  CaseCounts sql;      // feasible questions by the SQL before abstention: I right, III wrong, II none (Tables 11 and 4)
  Share error_feasible;    // ERROR: right SQL kept or wrong SQL withheld, among feasible questions (Table 12)
  Share error_infeasible;  // ERROR: no SQL given, among infeasible questions (Table 13)

  // `has_error_detector`: the row's system has an ERROR; then a question for which nothing was generated counts in its
  // shares too, as an abstention (Appendix F.4): 0 if the question is feasible, else 1.
  void add(const Outcome& row, bool has_error_detector);
};

// The scores at the paper's three penalties.
struct ReliabilityScores {
  std::optional<double> c_0, c_10, c_n;
};
// N is counts.total().
ReliabilityScores reliability_scores(const CaseCounts& counts);

struct ReportIntervals {
  std::optional<Interval> rs_0, rs_10, rs_n, rs_c, precision;
};

// The groups of questions that a report has rows for.
struct Grouping {
  std::vector<std::vector<Value>> values;  // the values of each group
  std::vector<std::uint32_t> group_of;     // for each group of the table, the group here that it belongs to

  // The table's own groups.
  static Grouping by_all(const OutcomeTable& table);
  // Groups by one of the columns that the table is grouped by. Precondition: `column` is less than the number of these
  // columns.
  static Grouping by_one(const OutcomeTable& table, std::size_t column);
};

struct ReportRow {
  std::optional<std::uint32_t> system;  // its number in the table; nullopt: ABSTAIN-ALL
  std::optional<std::uint32_t> group;   // its number in the grouping; nullopt: the total of the system
  std::int64_t skipped = 0;             // rows without a case, not counted elsewhere
  std::int64_t missing = 0;             // in totals: questions without a row, not counted elsewhere
  std::int64_t fenced = 0;              // predictions in case III with Obstacle::fence
  std::int64_t stopped = 0;             // and with Obstacle::limit
  CaseCounts counts;                    // N of this row is counts.total()
  ReliabilityScores rs;
  std::optional<double> rs_c;     // at ReportOptions::c
  ReliabilityScores feasible_rs;  // on feasible questions alone, N being their number (Table 4)
  ReliabilityScores share_rs;     // at ReportOptions::infeasible_share; N is counts.total()
  PipelineCounts parts;           // all zero for ABSTAIN-ALL
  ReportIntervals intervals;      // none for ABSTAIN-ALL, which does not vary
};

struct ReportOptions {
  MissingRows missing = MissingRows::error;
  std::optional<Penalty> c = {};                // a further penalty
  std::optional<double> infeasible_share = {};  // in [0, 1]
  bool by_group = false;                        // also rows for each group
  bool clustered = false;                       // for intervals, clusters are drawn instead of questions
  BootstrapOptions bootstrap = {};
};

// The rows of the report: ABSTAIN-ALL first, then the systems in order of appearance; for each the total first, then
// its groups in the order of sorted_groups(). ABSTAIN-ALL is the result of abstaining from every question of
// the table; each question counts once, however many systems answered it (if rows have no identity, there are as many
// questions as rows of the system with the most rows). Intervals are percentile bootstrap intervals, with c = N fixed
// at the row's own N; that of a precision for which all replicates agree, such as 100%, is clopper_pearson(). They are
// computed on up to `threads` threads; `interrupted` is called as in parallel_for(). Errors: those of
// OutcomeTable::check(); interrupted.
Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  const Grouping& grouping, std::size_t threads,
                                                  const std::function<bool()>& interrupted);
// The same by the table's own groups.
Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  std::size_t threads, const std::function<bool()>& interrupted);

}  // namespace trustsql
