// The report on systems: everything that TrustSQL's Tables 3, 4 and 8 to 13 print, one row for each system and group of
// questions.
//
//   Table 3   rs_0, rs_10, rs_n, with the row ABSTAIN-ALL
//   Table 4   feasible_rs; its shaded cells, SQL without abstention: sql_rs
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

#include "score/bootstrap.hpp"
#include "score/outcome_table.hpp"
#include "score/reliability.hpp"

namespace trustsql {

// A share, with what it is a share of.
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

// How the parts of a pipeline do alone. Questions for which a part's verdict is not known count in none of its shares.
struct PipelineCounts {
  Share cls_kept;      // feasible questions that CLS lets through (Table 9)
  Share cls_filtered;  // infeasible ones that it does not (Table 10)
  CaseCounts
      sql;  // feasible questions by what the SQL before abstention is: I right, III wrong, II none (Table 11, Table 4)
  Share error_feasible;    // ERROR: right SQL kept or wrong SQL held back, of feasible questions with SQL (Table 12)
  Share error_infeasible;  // ERROR: held back, of infeasible questions that it judged (Table 13)

  void add(const Outcome& row);
};

// A score for each penalty of the paper.
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
  std::vector<std::vector<Value>> values;  // of each group
  std::vector<std::uint32_t> of;           // the group that each of the table's groups belongs to

  // The table's own groups.
  static Grouping by_all(const OutcomeTable& table);
  // By one of the columns that the table is grouped by. Precondition: each of its groups has a value number `column`.
  static Grouping by_one(const OutcomeTable& table, std::size_t column);
};

struct ReportRow {
  std::optional<std::uint32_t> system;  // its number in the table; nullopt: ABSTAIN-ALL
  std::optional<std::uint32_t> group;   // its number in the grouping; nullopt: the total of the system
  std::int64_t skipped = 0;             // rows without a case, which count nowhere else
  std::int64_t missing = 0;             // of totals: questions without a row, which count nowhere else
  CaseCounts counts;                    // N of this row is counts.total()
  ReliabilityScores rs;
  std::optional<double> rs_c;     // at ReportOptions::c
  ReliabilityScores feasible_rs;  // of feasible questions alone, N being their number (Table 4)
  ReliabilityScores share_rs;     // at ReportOptions::infeasible_share, N being that of all questions here
  PipelineCounts parts;           // zeros in ABSTAIN-ALL
  ReportIntervals intervals;      // none in ABSTAIN-ALL, which does not vary
};

struct ReportOptions {
  MissingRows missing = MissingRows::error;
  std::optional<Penalty> c = {};                // one more penalty
  std::optional<double> infeasible_share = {};  // in [0, 1]
  bool by_group = false;                        // rows for groups too
  bool clustered = false;                       // intervals: clusters are drawn instead of questions
  BootstrapOptions bootstrap = {};
};

// The rows: ABSTAIN-ALL first, then the systems in order of appearance; of each the total first, then its groups in
// order of their values (SQLite's order). ABSTAIN-ALL is what abstaining from every question of the table gives; each
// question counts once, whatever number of systems answered it (where rows have no identity: as many as the system with
// the most rows has). Intervals are percentile bootstrap intervals; c = N is held at the row's own N. They are computed
// on up to `threads` threads; `interrupted` is called as parallel_for() does. Errors: those of OutcomeTable::check();
// interrupted.
Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  const Grouping& grouping, std::size_t threads,
                                                  const std::function<bool()>& interrupted);
// By the table's own groups.
Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  std::size_t threads, const std::function<bool()>& interrupted);

}  // namespace trustsql
