// sql_paraphrases, sql_mutants: queries that mean the same as another, and queries that nearly do.

#include "equiv/variants.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/sql/comparison.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"

namespace trustsql::ext {

namespace {

constexpr Option<std::optional<std::vector<std::string>>> kinds_option = {
    .key = "kinds", .description = "The kinds of rewrites. By default all."};
constexpr Option<std::size_t> variants_option = {.key = "limit",
                                                 .description = "The maximum number of rows.",
                                                 .default_value = equiv::VariantOptions::default_most,
                                                 .min = 1,
                                                 .max = 10'000};
constexpr Option<bool> unconfirmed_option = {
    .key = "unconfirmed",
    .description = "true: rewrites with any other verdict are returned as well, with the reason if it is unknown.",
    .default_value = false};
constexpr Option<bool> shuffle_option = {
    .key = "shuffle",
    .description = "true: in an order that depends on `seed`; false: the kinds take turns.",
    .default_value = false};
constexpr Option<std::int64_t> budget_option = {
    .key = "budget_ms",
    .description = "Milliseconds for all rewrites together. The rows are those that were confirmed by then.",
    .default_value = equiv::VariantOptions::default_budget.count(),
    .min = 1,
    .max = 24 * 3600 * 1000};

constexpr auto variant_options =
    option_table(equivalence_options, kinds_option, variants_option, unconfirmed_option, shuffle_option, budget_option);

equiv::VariantOptions variant_options_of(Session& session, const Options& options) {
  equiv::VariantOptions variants;
  if (auto kinds = options.get(kinds_option)) variants.kinds = *std::move(kinds);
  variants.most = options.get(variants_option);
  variants.unconfirmed = options.get(unconfirmed_option);
  if (options.get(shuffle_option)) variants.shuffled_by = options.get(compared_seed_option);
  variants.comparison = comparison_options_of(session, options);
  variants.budget = std::chrono::milliseconds(options.get(budget_option));
  return variants;
}

ResultSet variant_rows(const std::vector<equiv::Variant>& variants) {
  ResultSet rows({"kind", "sql", "verdict", "grade", "reason", "assumptions", "confirmation"});
  const auto text = [&](std::string_view value) {
    rows.append(value.empty() ? ValueView::null() : ValueView::of_text(value));
  };
  for (const auto& variant : variants) {
    const auto& comparison = variant.comparison;
    const bool proved = comparison.verdict == equiv::Verdict::proved && comparison.proof;
    const auto& counterexample = comparison.counterexample;
    text(variant.kind);
    text(variant.sql);
    text(name(comparison.verdict));
    text(counterexample ? counterexample->deviations.text() : std::string());
    text(comparison.reason ? name(*comparison.reason) : std::string_view());
    text(proved ? assumptions_json(comparison.proof->assumptions) : std::string());
    text(proved ? proof_json(*comparison.proof) : counterexample ? counterexample->script : std::string());
  }
  return rows;
}

Result<ResultSet> sql_paraphrases(Session& session, const SharedScope& scope, std::string_view sql,
                                  const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, comparer_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* const dialect, ComparisonDialect::of(session.host(), *scope));
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto variants,
      confirmed_paraphrases(*comparer, sql, variant_options_of(session, options), dialect->options()));
  return variant_rows(variants);
}

Result<ResultSet> sql_mutants(Session& session, const SharedScope& scope, std::string_view sql,
                              const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, comparer_of(session, *source));
  const auto wanted = variant_options_of(session, options);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* const dialect, ComparisonDialect::of(session.host(), *scope));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto variants, confirmed_mutants(*comparer, sql, wanted, dialect->options(),
                                                                   equiv::values_in(*source, wanted.comparison.stop)));
  return variant_rows(variants);
}

constexpr std::string_view variant_columns =
    "kind TEXT, sql TEXT, verdict TEXT, grade TEXT, reason TEXT, assumptions TEXT, confirmation TEXT";

}  // namespace

std::string_view variants_introduction() {
  static const std::string text = [] {
    std::string introduction =
        "Rewrites of a query, each compared with it as sql_compare does. They serve to test what judges queries, and "
        "to "
        "train it. The kinds of paraphrases:\n";
    for (const auto& kind : equiv::paraphrase_kinds())
      introduction += "\n- `" + std::string(kind.name) + "`: " + std::string(kind.summary);
    introduction += "\n\nThe kinds of mutants:\n";
    for (const auto& kind : equiv::mutant_kinds())
      introduction += "\n- `" + std::string(kind.name) + "`: " + std::string(kind.summary);
    return introduction;
  }();
  return text;
}

std::span<const FunctionSpec> sql_variants_functions() {
  static constexpr FunctionSpec functions[] = {
      table<sql_paraphrases>(
          {.name = "sql_paraphrases",
           .signature = "sql_paraphrases(sql [, opts])",
           .summary = "Other texts of a query that mean the same, each with its proof (column confirmation, as JSON) "
                      "and the assumptions that it needs.",
           .example = "SELECT sql FROM sql_paraphrases('SELECT a FROM t WHERE a BETWEEN 1 AND 3', "
                      "'{\"schema\":\"CREATE TABLE t(a)\",\"kinds\":[\"between\"]}'); -- SELECT a FROM t WHERE a >= 1 "
                      "AND a <= 3",
           .columns = variant_columns,
           .options = variant_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<sql_mutants>(
          {.name = "sql_mutants",
           .signature = "sql_mutants(sql [, opts])",
           .summary = "Queries that differ from a query in one detail, as a mistake would, and mean something else: "
                      "each with the grade of the difference and a counterexample (column confirmation, a SQL script).",
           .example = "SELECT sql, grade FROM sql_mutants('SELECT a FROM t', "
                      "'{\"schema\":\"CREATE TABLE t(a)\",\"kinds\":[\"distinct\"]}'); -- SELECT DISTINCT a FROM t | "
                      "duplicates",
           .columns = variant_columns,
           .options = variant_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
