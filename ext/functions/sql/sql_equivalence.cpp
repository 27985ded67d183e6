// sql_equivalent, sql_compare, sql_counterexample, sql_explain_difference: whether two queries mean the same.

#include <algorithm>
#include <chrono>

#include "db/results/result_json.hpp"
#include "equiv/difference_explanation.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/sql/comparison.hpp"
#include "ext/registry.hpp"
#include "ext/services/gmn_service.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/time_limit.hpp"
#include "gmn/pair_score.hpp"

namespace trustsql::ext {

namespace {

Result<equiv::ComparisonResult> compare(Session& session, const SharedScope& scope, std::string_view a,
                                        std::string_view b, const Options& options,
                                        const equiv::ComparisonOptions& comparison_options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, comparer_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* const dialect, ComparisonDialect::of(session.host(), *scope));
  return comparer->compare(a, b, comparison_options, dialect->options());
}

Result<std::optional<bool>> sql_equivalent(Session& session, const SharedScope& scope, std::string_view a,
                                           std::string_view b, const Options& options) {
  auto comparison_options = comparison_options_of(session, options);
  comparison_options.best_grade = false;
  comparison_options.counterexample = false;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto comparison, compare(session, scope, a, b, options, comparison_options));
  if (comparison.verdict == equiv::Verdict::unknown) return std::optional<bool>();
  return std::optional(comparison.verdict == equiv::Verdict::proved);
}

Result<std::optional<std::string>> sql_counterexample(Session& session, const SharedScope& scope, std::string_view a,
                                                      std::string_view b, const Options& options) {
  const auto comparison_options = comparison_options_of(session, options);
  TRUSTSQL_ASSIGN_OR_RETURN(auto comparison, compare(session, scope, a, b, options, comparison_options));
  return comparison.counterexample ? std::optional(std::move(comparison.counterexample->script)) : std::nullopt;
}

// The end of what follows a comparison that began at `begun`: its own, or a moment from now.
std::chrono::steady_clock::time_point end_of(std::chrono::steady_clock::time_point begun,
                                             const equiv::ComparisonOptions& comparison) {
  constexpr std::chrono::milliseconds moment{300};
  return std::max(begun + comparison.timeout, std::chrono::steady_clock::now() + moment);
}

// The score of the verdict, moved by the network's distance where the network can compare the two in time.
double score_of(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                const Options& options, const equiv::ComparisonResult& comparison, TimeLimit& limit) {
  const auto catalog = catalog_of(session, scope, options);
  if (!catalog.ok() || comparison.verdict == equiv::Verdict::proved) return comparison.score;
  const auto distance = GmnService::of(session).distance(a, b, *catalog, built_in_dialect(), limit);
  return distance.ok() ? gmn::pair_score(comparison, *distance) : comparison.score;
}

Result<std::optional<std::string>> sql_explain_difference(Session& session, const SharedScope& scope,
                                                          std::string_view a, std::string_view b,
                                                          const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, comparer_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* const dialect, ComparisonDialect::of(session.host(), *scope));
  const auto begun = std::chrono::steady_clock::now();
  const auto comparison_options = comparison_options_of(session, options);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto comparison, comparer->compare(a, b, comparison_options, dialect->options()));
  if (!comparison.counterexample) return std::optional<std::string>();
  TimeLimit limit(session, end_of(begun, comparison_options));
  return std::optional(
      explain_difference(a, b, *comparison.counterexample, *comparer->catalog(), dialect->options(), {}, limit.stop()));
}

Result<ResultSet> sql_compare(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                              const Options& options) {
  const auto begun = std::chrono::steady_clock::now();
  const auto comparison_options = comparison_options_of(session, options);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto comparison, compare(session, scope, a, b, options, comparison_options));
  constexpr std::size_t max_rows = 100;
  ResultSet row({"verdict", "grade", "reason", "detail", "method", "assumptions", "proof", "counterexample", "result_a",
                 "result_b", "score"});
  const auto text = [&](std::string_view value) {
    row.append(value.empty() ? ValueView::null() : ValueView::of_text(value));
  };
  const auto& counterexample = comparison.counterexample;
  text(name(comparison.verdict));
  text(counterexample ? counterexample->deviations.text() : std::string());
  text(comparison.reason ? name(*comparison.reason) : std::string_view());
  text(comparison.detail);
  text(comparison.method());
  text(comparison.proof ? assumptions_json(comparison.proof->assumptions) : std::string());
  text(comparison.proof ? proof_json(*comparison.proof) : std::string());
  text(counterexample ? counterexample->script : std::string());
  text(counterexample ? result_json(counterexample->a, max_rows) : std::string());
  text(counterexample ? result_json(counterexample->b, max_rows) : std::string());
  TimeLimit limit(session, end_of(begun, comparison_options));
  row.append(ValueView::of_real(score_of(session, scope, a, b, options, comparison, limit)));
  return row;
}

}  // namespace

std::string_view equivalence_introduction() {
  static const std::string text = [] {
    std::string introduction =
        "Proved: on every database of the schema that satisfies the assumptions, the results are equal unless a query "
        "fails. Refuted: SQLite gave different results on a small database, which is shown. Anything else is unknown, "
        "for one of these reasons:\n";
    for (const auto& reason : equiv::unknown_reasons())
      introduction += "\n- `" + std::string(reason.name) + "`: " + std::string(reason.description);
    return introduction;
  }();
  return text;
}

std::span<const FunctionSpec> sql_equivalence_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_equivalent>(
          {.name = "sql_equivalent",
           .signature = "sql_equivalent(a, b [, opts])",
           .summary = "Whether two queries give the same result on every database of the schema: 1 if that is proved, "
                      "0 if SQLite returned different results on some database, NULL if neither could be shown "
                      "(sql_compare gives the reason) or if one of them is NULL.",
           .example = "SELECT sql_equivalent('SELECT a FROM t WHERE NOT (a < 3 OR b = 1)', 'SELECT "
                      "a FROM t WHERE b <> 1 AND a >= 3', "
                      "'{\"schema\":\"CREATE TABLE t(a, b)\"}'); -- 1",
           .options = equivalence_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<sql_compare>(
          {.name = "sql_compare",
           .signature = "sql_compare(a, b [, opts])",
           .summary =
               "One row about two queries: verdict (proved, refuted, unknown); for a refuted pair the grade "
               "(the mildest condition under which the results differ: outright, or deviations joined by +), "
               "the counterexample as a SQL script and both results on it as JSON; for an unknown pair the "
               "reason and detail; the proof and its assumptions, even if they go beyond those that the options "
               "allow; a score from 0 to 1, the likelihood that the two are meant to be the same, from the verdict "
               "and the graph matching network.",
           .example = "SELECT verdict, grade FROM sql_compare('SELECT count(*) FROM t', 'SELECT count(a) FROM t', "
                      "'{\"schema\":\"CREATE TABLE t(a, b)\"}'); -- refuted | null",
           .columns = "verdict TEXT, grade TEXT, reason TEXT, detail TEXT, method TEXT, assumptions TEXT, proof TEXT, "
                      "counterexample TEXT, "
                      "result_a TEXT, result_b TEXT, score REAL",
           .options = equivalence_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<sql_counterexample>({.name = "sql_counterexample",
                                  .signature = "sql_counterexample(a, b [, opts])",
                                  .summary = "A SQL script that creates a small database on which the two queries "
                                             "return different results, NULL if none was found.",
                                  .example = "SELECT sql_counterexample('SELECT a FROM t', 'SELECT DISTINCT a FROM t', "
                                             "'{\"schema\":\"CREATE TABLE t(a UNIQUE NOT NULL)\"}') IS NULL; -- 1",
                                  .options = equivalence_options,
                                  .entry_point = EntryPoint::offline,
                                  .effect = Effect::state}),
      scalar<sql_explain_difference>(
          {.name = "sql_explain_difference",
           .signature = "sql_explain_difference(a, b [, opts])",
           .summary = "One sentence that says what makes the second query different from the first: the clauses in "
                      "which they differ, and what each returns on the rows of a counterexample. NULL if none was "
                      "found (sql_compare says whether the two are proved to be the same) or if a query is NULL.",
           .example = "SELECT sql_explain_difference('SELECT a FROM t', 'SELECT DISTINCT a FROM t', "
                      "'{\"schema\":\"CREATE TABLE t(a)\"}'); -- b removes duplicate rows: with the rows (a 3) "
                      "and (a 3) in t, a returns (3) twice and b once.",
           .options = equivalence_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
