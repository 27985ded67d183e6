// sql_suite_generate, sql_suite_match: test-suite accuracy.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "equiv/suite_files.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/execution_options.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"

namespace trustsql::ext {

namespace {

constexpr OptionSpec generate_options[] = {
    database_option,
    schema_option,
    {.key = "deviations",
     .type = OptionType::list,
     .description = "What the databases may contain in addition to ordinary rows, any of null, case, empty, "
                    "foreign_key, type; [\"null\", \"case\"] by default.",
     .choices = "null|case|empty|foreign_key|type"},
    {.key = "neighbours",
     .type = OptionType::integer,
     .description = "The maximum number of neighbours of each gold query; 200 by default.",
     .min = 1,
     .max = 10'000},
    {.key = "databases",
     .type = OptionType::integer,
     .description = "The number of random databases to choose from, in addition to those generated for the gold "
                    "queries; 300 by default.",
     .min = 1,
     .max = 100'000},
    {.key = "largest",
     .type = OptionType::integer,
     .description = "The maximum number of databases in the suite; 100 by default.",
     .min = 1,
     .max = 999},
    {.key = "seed",
     .type = OptionType::integer,
     .description = "The seed of the random databases; 1 by default.",
     .min = 0},
    {.key = "name",
     .type = OptionType::text,
     .description = "The name of the files: <name>_001.sqlite and so on; `suite` by default."},
    {.key = "timeout_ms",
     .type = OptionType::integer,
     .description =
         "Milliseconds for trying databases; 60000 by default. The suite consists of what has been found by then.",
     .min = 1,
     .max = 24 * 3600 * 1000},
};
constexpr std::int64_t default_timeout_ms = 60'000;

Result<equiv::SuiteOptions> suite_options(Session& session, const Options& options) {
  equiv::SuiteOptions suite;
  if (const auto deviations = options.list("deviations")) {
    suite.deviations = {};
    for (const auto& name : *deviations) {
      const auto* text = std::get_if<std::string>(&name);
      const auto deviation = text != nullptr ? equiv::find_deviation(*text) : std::nullopt;
      if (!deviation || !equiv::is_of_database(*deviation))
        return invalid_argument("deviations takes null, case, empty, foreign_key and type");
      suite.deviations.add(*deviation);
    }
  }
  if (const auto neighbours = options.integer("neighbours")) suite.neighbours = static_cast<std::size_t>(*neighbours);
  if (const auto databases = options.integer("databases")) suite.databases = static_cast<int>(*databases);
  if (const auto largest = options.integer("largest")) suite.largest = static_cast<std::size_t>(*largest);
  if (const auto seed = options.integer("seed")) suite.seed = static_cast<std::uint64_t>(*seed);
  suite.deadline = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(options.integer("timeout_ms").value_or(default_timeout_ms));
  suite.stop = [&session] { return session.database().interrupted(); };
  return suite;
}

// One gold query, or a JSON array of them.
Result<std::vector<std::string>> gold_queries(std::string_view gold) {
  const auto first = gold.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || gold[first] != '[') return std::vector<std::string>{std::string(gold)};
  auto json = nlohmann::json::parse(gold, nullptr, false);
  const JsonRelease release(json);
  std::vector<std::string> queries;
  const bool is_list =
      json.is_array() && std::all_of(json.begin(), json.end(), [](const auto& element) { return element.is_string(); });
  if (!is_list || json.empty()) return invalid_argument("gold must be a query or a JSON array of queries");
  return json.get<std::vector<std::string>>();
}

Result<std::string> sql_suite_generate(Session& session, const SharedScope& scope, std::string_view gold,
                                       std::string_view folder, const Options& options) {
  const std::string name = options.text("name").value_or("suite");
  TRUSTSQL_RETURN_IF_ERROR(equiv::check_suite_place(folder, name));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto queries, gold_queries(gold));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto settings, suite_options(session, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto definition, SchemaDefinition::read(*source));
  const auto limits = SandboxLimits::from(session.settings());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto suite,
                            equiv::distil_suite(definition, queries, settings, built_in_dialect(), limits));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto files, equiv::write_suite(suite, std::string(folder), name, limits));
  auto report = nlohmann::ordered_json::object();
  const JsonRelease release(report);
  // The object is a vector, which would copy the files as it grows.
  report.get_ref<nlohmann::ordered_json::object_t&>().reserve(6);
  report["files"] = files;
  report["databases"] = suite.candidates;
  report["neighbours"] = suite.neighbours;
  report["told_apart"] = suite.told_apart;
  report["survivors"] = suite.survivors;
  report["complete"] = suite.complete;
  return report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<std::optional<bool>> sql_suite_match(Session& session, const SharedScope& scope, std::string_view gold,
                                            std::string_view prediction, std::string_view suite,
                                            const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto files, equiv::suite_files(std::string(suite)));
  TRUSTSQL_ASSIGN_OR_RETURN(const BatchOptions batch, batch_options(session, options));
  std::vector<BatchItem> items;
  for (const auto& file : files) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto source, session.database().open_file(file, session.settings(), scope.get()));
    items.push_back({std::string(gold), std::string(prediction), std::move(source)});
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, score_batch(items, batch, cache_of(session, scope),
                                                           [&session] { return session.database().interrupted(); }));
  if (scores.front().reliability_case == ReliabilityCase::II)
    return std::optional<bool>();  // cleaning turned the prediction into an abstention
  return std::optional(
      std::ranges::all_of(scores, [](const ItemScore& score) { return score.reliability_case == ReliabilityCase::I; }));
}

}  // namespace

std::span<const FunctionSpec> sql_suite_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_suite_generate>(
          {.name = "sql_suite_generate",
           .signature = "sql_suite_generate(gold, dir [, opts])",
           .summary = "Writes a distilled test suite (Zhong et al. 2020) for a gold query, or a JSON array of gold "
                      "queries, into the folder `dir`: a few small SQLite files on which the gold queries and their "
                      "neighbours, mutants with a single change, return different results. Returns JSON: the files, "
                      "how many databases were tried, how many neighbours there are, how many of them the suite "
                      "distinguishes, the texts of those that survive. Existing files are never overwritten.",
           .example = "SELECT sql_suite_generate('SELECT a FROM t WHERE a > 3', 'suite', '{\"schema\":\"CREATE TABLE "
                      "t(a INT)\"}') ->> 'survivors'; -- []",
           .options = generate_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<sql_suite_match>(
          {.name = "sql_suite_match",
           .signature = "sql_suite_match(gold, pred, suite [, opts])",
           .summary =
               "Test-suite accuracy: 1 if the predicted query returns the same result as the gold query on every file "
               "*.sqlite in the folder `suite`, 0 if not or if it fails on one. NULL if an argument is NULL.",
           .example =
               "SELECT sql_suite_match('SELECT a FROM t WHERE a > 3', 'SELECT a FROM t WHERE a >= 3', 'suite'); -- 0",
           .options = exec_option_specs,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
