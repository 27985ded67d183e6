// sql_suite_generate, sql_suite_match: test-suite accuracy.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "equiv/suite_files.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/execution_options.hpp"
#include "ext/options/suite_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/execution_resources.hpp"
#include "ext/services/host_dialect.hpp"

namespace trustsql::ext {

namespace {

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
  const std::string name = options.get(suite_name_option);
  TRUSTSQL_RETURN_IF_ERROR(equiv::check_suite_place(folder, name));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto queries, gold_queries(gold));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto definition, SchemaDefinition::read(*source));
  const auto limits = SandboxLimits::from(session.settings());
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto suite,
      equiv::distil_suite(definition, queries, suite_options_of(session, options), built_in_dialect(), limits));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto files, equiv::write_suite(suite, std::string(folder), name, limits));
  JsonWriter report;
  report.begin_object().key("files").value(files).key("databases").value(suite.candidates);
  report.key("neighbours").value(suite.neighbours).key("told_apart").value(suite.told_apart);
  report.key("survivors").value(suite.survivors).key("complete").value(suite.complete).end_object();
  return std::move(report).text();
}

Result<std::optional<bool>> sql_suite_match(Session& session, const SharedScope& scope, std::string_view gold,
                                            std::string_view prediction, std::string_view suite,
                                            const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto files, equiv::suite_files(std::string(suite)));
  TRUSTSQL_ASSIGN_OR_RETURN(BatchOptions batch, batch_options(session, options));
  std::vector<BatchItem> items;
  for (const auto& file : files) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto source, session.database().open_file(file, session.settings(), scope.get()));
    items.push_back({std::string(gold), std::string(prediction), std::move(source)});
    batch.item_names.push_back("database " + quote_for_message(file));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, score_batch(items, batch, execution_cache_of(session, scope),
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
           .example = "SELECT json_extract(sql_suite_generate('SELECT a FROM t WHERE a > 3', 'suite', "
                      "'{\"schema\":\"CREATE TABLE t(a INT)\"}'), '$.survivors'); -- []",
           .options = suite_options,
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
           .options = execution_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
