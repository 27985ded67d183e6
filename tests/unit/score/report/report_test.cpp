#include "score/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using enum ReliabilityCase;

std::vector<ReportRow> report(const OutcomeTable& table, const ReportOptions& options = {}, std::size_t threads = 1) {
  auto rows = reliability_report(table, options, threads, never_stop);
  EXPECT_TRUE(rows.ok());
  return std::move(rows).value();
}

// A system by its counts, one question after the other.
void add_system(OutcomeTable& table, std::string_view name, const CaseCounts& counts) {
  // Feasible questions first, so that systems agree on which they are.
  int question = 0;
  for (const auto outcome : all_reliability_cases) {
    for (std::int64_t i = 0; i < counts[outcome]; ++i)
      ASSERT_TRUE(
          table.add({.system = name, .question = std::to_string(question++), .reliability_case = outcome}).ok());
  }
}

// Table 8's counts of three systems on ATIS (476 feasible, 476 infeasible questions) give their rows in Tables 3 and 4.
TEST(Report, CountsOfTable8GiveTables3And4) {
  OutcomeTable table;
  const auto of_table_8 = [](std::int64_t right, std::int64_t feasible, std::int64_t infeasible) {
    return CaseCounts{{right, 476 - feasible, feasible - right, infeasible, 476 - infeasible}};
  };
  add_system(table, "CLS_P -> SQLPrompt", of_table_8(376, 457, 6));
  add_system(table, "SQLPrompt[Voting]", of_table_8(164, 178, 10));
  const auto rows = report(table, {.bootstrap = {.replicates = 0}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(rows[0].system);
  EXPECT_EQ(rows[0].rs.c_0, 50);
  EXPECT_EQ(rows[0].rs.c_n, 50);
  EXPECT_NEAR(*rows[1].rs.c_0, 88.9, 0.05);
  EXPECT_NEAR(*rows[1].rs.c_10, -2.5, 0.05);
  EXPECT_NEAR(*rows[1].rs.c_n, -8600, 50);
  EXPECT_NEAR(*rows[1].feasible_rs.c_0, 79.0, 0.05);
  EXPECT_NEAR(*rows[1].feasible_rs.c_10, -91.2, 0.05);
  EXPECT_NEAR(*rows[1].feasible_rs.c_n, -8000, 50);
  EXPECT_NEAR(*answer_precision(rows[1].counts), 81.2, 0.05);
  EXPECT_NEAR(*rows[2].rs.c_0, 66.2, 0.05);
  EXPECT_NEAR(*rows[2].rs.c_10, 41.0, 0.05);
  EXPECT_NEAR(*rows[2].rs.c_n, -2300, 50);
  EXPECT_FALSE(rows[1].intervals.rs_0);
}

TEST(Report, GroupsHaveTheirOwnNAndAreInOrderOfTheirValues) {
  OutcomeTable table;
  const auto add = [&](std::string_view system, std::string_view question, Value group,
                       std::optional<ReliabilityCase> outcome) {
    const std::vector<Value> groups = {std::move(group)};
    ASSERT_TRUE(
        table.add({.system = system, .question = question, .groups = groups, .reliability_case = outcome}).ok());
  };
  add("s", "1", std::string("medium"), I);
  add("s", "2", std::string("easy"), III);
  add("s", "3", std::string("medium"), III);
  add("s", "4", std::monostate(), V);
  add("s", "5", std::string("easy"), std::nullopt);
  const auto rows = report(table, {.by_group = true, .bootstrap = {.replicates = 0}});
  ASSERT_EQ(rows.size(), 8U);  // ABSTAIN-ALL and s: total, NULL, easy, medium
  const auto group_of = [&](std::size_t i) { return view(table.groups()[*rows[i].group][0]); };
  EXPECT_FALSE(rows[4].group);
  EXPECT_TRUE(group_of(5).is_null());
  EXPECT_EQ(group_of(6).bytes, "easy");
  EXPECT_EQ(group_of(7).bytes, "medium");
  EXPECT_EQ(rows[4].rs.c_n, 100.0 * (2 - 4 * 2) / 4);
  EXPECT_EQ(rows[4].skipped, 1);
  EXPECT_EQ(rows[6].rs.c_n, -100);
  EXPECT_EQ(rows[6].skipped, 1);
  EXPECT_EQ(rows[7].rs.c_n, 100.0 * (1 - 2) / 2);
  EXPECT_EQ(rows[1].rs.c_0, 100);  // ABSTAIN-ALL where all questions are infeasible
  EXPECT_EQ(rows[3].rs.c_0, 0);
  EXPECT_EQ(rows[0].counts, (CaseCounts{{0, 3, 0, 0, 1}}));
}

TEST(Report, AbstainAllCountsEachQuestionOnce) {
  OutcomeTable table;
  add_system(table, "a", CaseCounts{{2, 1, 1, 3, 1}});
  add_system(table, "b", CaseCounts{{0, 4, 0, 0, 4}});
  EXPECT_EQ(report(table)[0].counts, (CaseCounts{{0, 4, 0, 0, 4}}));
  OutcomeTable anonymous;
  for (const auto* system : {"a", "b"})
    for (const auto outcome : {I, V, IV})
      ASSERT_TRUE(anonymous.add({.system = system, .question = std::nullopt, .reliability_case = outcome}).ok());
  EXPECT_EQ(report(anonymous)[0].counts, (CaseCounts{{0, 1, 0, 0, 2}}));
}

struct PartsOfRow {
  ReliabilityCase outcome;
  std::optional<bool> cls_feasible;
  std::optional<ReliabilityCase> raw;
  std::optional<bool> error_found;
};

PipelineCounts parts_of(const std::vector<PartsOfRow>& rows, bool has_error_detector) {
  PipelineCounts parts;
  for (const auto& row : rows) {
    Outcome outcome;
    outcome.reliability_case = row.outcome;
    outcome.parts = {.raw = row.raw, .cls_feasible = row.cls_feasible, .error_found = row.error_found};
    parts.add(outcome, has_error_detector);
  }
  return parts;
}

TEST(Report, PartsOfAPipeline) {
  const auto parts = parts_of({{I, true, I, false},                      // all well
                               {II, false, std::nullopt, std::nullopt},  // filtered by CLS, so no SQL was generated
                               {II, true, I, true},                      // right SQL held back
                               {II, true, III, true},                    // wrong SQL held back
                               {III, true, III, false},                  // wrong SQL kept
                               {II, true, II, std::nullopt},             // the generator gave no SQL
                               {IV, true, IV, false},
                               {V, true, IV, true},
                               {V, true, V, std::nullopt},  // the generator gave no SQL
                               {V, false, std::nullopt, std::nullopt}},
                              /*has_error_detector=*/true);
  EXPECT_EQ(parts.cls_kept.numerator, 5);
  EXPECT_EQ(parts.cls_kept.denominator, 6);
  EXPECT_EQ(parts.cls_filtered.numerator, 1);
  EXPECT_EQ(parts.cls_filtered.denominator, 4);
  EXPECT_EQ(parts.sql, (CaseCounts{{2, 1, 2, 0, 0}}));
  // Appendix F.4: a feasible question without SQL scores 0 and counts; an infeasible one is abstained from.
  EXPECT_EQ(parts.error_feasible.numerator, 2);
  EXPECT_EQ(parts.error_feasible.denominator, 5);
  EXPECT_EQ(parts.error_infeasible.numerator, 2);
  EXPECT_EQ(parts.error_infeasible.denominator, 3);
}

// Tables 12 and 13 have no row for a system without ERROR, although its generator fails at times.
TEST(Report, WithoutErrorDetectorNothingCountsForIt) {
  const auto parts = parts_of({{I, std::nullopt, I, std::nullopt}, {II, std::nullopt, II, std::nullopt}}, false);
  EXPECT_EQ(parts.sql, (CaseCounts{{1, 1, 0, 0, 0}}));
  EXPECT_EQ(parts.error_feasible.denominator, 0);
  EXPECT_EQ(parts.error_infeasible.denominator, 0);
}

// The verdict for a text that is no SQL does not matter: "incorrect" is no merit where there is nothing to hold back.
TEST(Report, VerdictOnNoSql) {
  const auto parts = parts_of({{II, std::nullopt, II, true}, {V, std::nullopt, V, false}}, true);
  EXPECT_EQ(parts.error_feasible.numerator, 0);
  EXPECT_EQ(parts.error_feasible.denominator, 1);
  EXPECT_EQ(parts.error_infeasible.numerator, 1);
  EXPECT_EQ(parts.error_infeasible.denominator, 1);
}

TEST(Report, IntervalsHoldTheScoreAndDoNotDependOnThreads) {
  OutcomeTable table;
  add_system(table, "a", CaseCounts{{60, 10, 30, 20, 80}});
  add_system(table, "b", CaseCounts{{10, 80, 10, 0, 100}});
  const ReportOptions options = {.c = Penalty::of(2), .bootstrap = {.replicates = 400, .seed = 5}};
  const auto rows = report(table, options, 1);
  const auto again = report(table, options, 2);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(rows[0].intervals.rs_0);
  for (const auto i : {1U, 2U}) {
    ASSERT_TRUE(rows[i].intervals.rs_10 && rows[i].intervals.rs_c && rows[i].intervals.precision);
    EXPECT_LT(rows[i].intervals.rs_10->low, *rows[i].rs.c_10);
    EXPECT_GT(rows[i].intervals.rs_10->high, *rows[i].rs.c_10);
    EXPECT_LT(rows[i].intervals.rs_c->low, *rows[i].rs_c);
    EXPECT_EQ(rows[i].intervals.rs_n, again[i].intervals.rs_n);
    EXPECT_EQ(rows[i].intervals.precision, again[i].intervals.precision);
  }
  // The sampling error of a mean of phi_2: sd / sqrt(n), with phi = 1 in 140, -2 in 50, 0 in 10 of 200.
  const double sd = std::sqrt((140 * 1 + 50 * 4) / 200.0 - std::pow((140 - 100) / 200.0, 2));
  EXPECT_NEAR(rows[1].intervals.rs_c->high - rows[1].intervals.rs_c->low, 2 * 1.96 * 100 * sd / std::sqrt(200), 4);
}

// All 14 answers are right, and so are those of each replicate; "100 to 100" would claim that none can be wrong.
TEST(Report, PrecisionOfAnswersThatAreAllRightHasAnExactInterval) {
  OutcomeTable table;
  add_system(table, "right", CaseCounts{{14, 6, 0, 0, 5}});
  add_system(table, "wrong", CaseCounts{{0, 6, 14, 0, 5}});
  for (const bool clustered : {false, true}) {
    const auto rows = report(table, {.clustered = clustered, .bootstrap = {.replicates = 200}});
    ASSERT_TRUE(rows[1].intervals.precision && rows[2].intervals.precision);
    EXPECT_NEAR(rows[1].intervals.precision->low, 100 * std::pow(0.025, 1 / 14.0), 1e-9);  // 76.8
    EXPECT_EQ(rows[1].intervals.precision->high, 100);
    EXPECT_EQ(rows[2].intervals.precision->low, 0);
    EXPECT_NEAR(rows[2].intervals.precision->high, 100 - 100 * std::pow(0.025, 1 / 14.0), 1e-9);
  }
  EXPECT_FALSE(report(table, {.bootstrap = {.replicates = 0}})[1].intervals.precision);
}

TEST(Report, ClusteredIntervalsAreWiderWhereClustersDiffer) {
  OutcomeTable table;
  for (int i = 0; i < 400; ++i) {
    const bool good = i % 10 < 6;  // six databases on which all is right, four on which nothing is
    ASSERT_TRUE(table
                    .add({.system = "s",
                          .question = std::to_string(i),
                          .cluster = std::to_string(i % 10),
                          .reliability_case = good ? I : III})
                    .ok());
  }
  const auto by_question = report(table)[1].intervals.rs_0;
  const auto by_cluster = report(table, {.clustered = true})[1].intervals.rs_0;
  ASSERT_TRUE(by_question && by_cluster);
  EXPECT_NEAR(by_question->high - by_question->low, 2 * 196 * std::sqrt(0.24 / 400), 1.5);
  EXPECT_GT(by_cluster->high - by_cluster->low, 50);
}

TEST(Report, ScoresAtAnotherShareOfInfeasibleQuestions) {
  OutcomeTable table;
  add_system(table, "a", CaseCounts{{6, 2, 2, 1, 3}});
  const auto rows = report(table, {.infeasible_share = 0.5});
  EXPECT_NEAR(*rows[0].share_rs.c_0, 50, 1e-12);
  EXPECT_NEAR(*rows[1].share_rs.c_0, 0.5 * 60 + 0.5 * 75, 1e-12);
  EXPECT_NEAR(*rows[1].share_rs.c_n, 0.5 * (60 - 14 * 20) + 0.5 * (75 - 14 * 25), 1e-9);
  EXPECT_FALSE(report(table)[1].share_rs.c_0);
}

TEST(Report, NothingToReportIsAbstainAllAlone) {
  const OutcomeTable table;
  const auto rows = report(table);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].counts.total(), 0);
  EXPECT_FALSE(rows[0].rs.c_0);
}

TEST(Report, CanBeInterrupted) {
  OutcomeTable table;
  for (int i = 0; i < 300; ++i) {
    const std::vector<Value> groups = {std::int64_t{i}};
    ASSERT_TRUE(
        table.add({.system = "s", .question = std::to_string(i), .groups = groups, .reliability_case = I}).ok());
  }
  for (const std::size_t threads : {1U, 2U}) {
    const auto stopped = reliability_report(table, {.by_group = true, .bootstrap = {.replicates = 1'000'000}}, threads,
                                            [] { return true; });
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  }
}

// The rows by one of two columns are those of a table that is grouped by that column alone.
TEST(Report, ByOneOfSeveralColumns) {
  OutcomeTable two_columns;
  OutcomeTable second;
  for (const std::string_view system : {"a", "b"}) {
    for (int q = 0; q < 60; ++q) {
      const auto outcome =
          all_reliability_cases[static_cast<std::size_t>(q % 3 == 0 ? 3 + q % 2 : (q * (system == "a" ? 1 : 7)) % 3)];
      const std::string question = std::to_string(q);
      const std::vector<Value> groups = {Value(std::int64_t{q % 4}),
                                         q % 5 == 0 ? Value() : Value(std::string(q % 2 == 0 ? "even" : "odd"))};
      ASSERT_TRUE(
          two_columns.add({.system = system, .question = question, .groups = groups, .reliability_case = outcome})
              .ok());
      ASSERT_TRUE(
          second.add({.system = system, .question = question, .groups = {&groups[1], 1}, .reliability_case = outcome})
              .ok());
    }
  }
  const ReportOptions options{.by_group = true, .bootstrap = {.replicates = 20}};
  const auto grouping = Grouping::by_one(two_columns, 1);
  const auto rows = reliability_report(two_columns, options, grouping, 1, never_stop).value();
  const auto expected = report(second, options);
  ASSERT_EQ(rows.size(), expected.size());
  ASSERT_EQ(grouping.values.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(rows[i].system, expected[i].system);
    EXPECT_EQ(rows[i].group.has_value(), expected[i].group.has_value());
    if (rows[i].group) {
      EXPECT_EQ(grouping.values[*rows[i].group], second.groups()[*expected[i].group]);
    }
    EXPECT_EQ(rows[i].counts, expected[i].counts);
    EXPECT_EQ(rows[i].rs.c_n, expected[i].rs.c_n);
    EXPECT_EQ(rows[i].intervals.rs_10, expected[i].intervals.rs_10);
  }
}

}  // namespace
}  // namespace trustsql
