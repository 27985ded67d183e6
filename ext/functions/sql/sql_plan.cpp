// sql_plan: the relational operator tree of a query.

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/equivalence_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/time_limit.hpp"
#include "plan/graph.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "plan/show.hpp"
#include "plan/to_sql.hpp"

namespace trustsql::ext {

namespace {

enum class PlanFormat { tree, json, dot, sql, graph };

constexpr Option<PlanFormat> format_option = {
    .key = "format",
    .description =
        "`tree`: a line for each operator; `json`; `dot`, for Graphviz; `sql`: a query with the same result "
        "as the tree; `graph`: FuncEvalGMN's graph of the tree as JSON.",
    .default_value = PlanFormat::tree,
    .choices = {{"tree", PlanFormat::tree},
                {"json", PlanFormat::json},
                {"dot", PlanFormat::dot},
                {"sql", PlanFormat::sql},
                {"graph", PlanFormat::graph}}};
constexpr Option<bool> normalised_option = {
    .key = "normalised",
    .description =
        "true: rewritten by rules until none applies, so that queries that mean the same tend to have the "
        "same tree; false: as written.",
    .default_value = true};
constexpr Option<bool> rules_option = {
    .key = "rules",
    .description =
        "true: also report which rules were applied, how often, and under which assumptions; for a JSON "
        "format as an object with the members plan, rules and assumptions, for the others on lines at the "
        "end.",
    .default_value = false};
constexpr Option<Assumed> plan_assume_option = {
    .key = "assume",
    .description =
        "What rewriting may assume although SQLite does not enforce it: `constraints`: declared primary "
        "keys hold no NULL, foreign keys are satisfied; `types`: in addition, columns hold values of their "
        "declared types; `none`.",
    .default_value = Assumed::constraints,
    .choices = rewriting_assume_choices};
constexpr auto plan_options =
    option_table(schema_options, format_option, normalised_option, rules_option, plan_assume_option);

// The rules and assumptions that were used, on lines that begin with `mark`.
std::string footer(const plan::Normalised& normalised, std::string_view mark) {
  std::vector<std::string> rules;
  for (const auto& firing : normalised.fired)
    rules.push_back(std::string(firing.rule) + " " + std::to_string(firing.times));
  auto text = std::string(mark) + "rules: " + (rules.empty() ? "none" : join(rules, ", ")) + "\n";
  for (const auto& assumption : plan::descriptions(normalised.assumptions))
    text += std::string(mark) + "assumes: " + assumption + "\n";
  return text;
}

Result<std::string> show_plan(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                              const Options& options, TimeLimit& limit) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::plan_query(sql, catalog, dialect));
  const bool is_normalised = options.get(normalised_option);
  plan::Normalised result;
  if (is_normalised) {
    result =
        plan::normalise(std::move(plan), {.assume = assume_of(options.get(plan_assume_option)), .stop = limit.stop()});
    if (result.stopped) return limit.error();
  } else {
    result.plan = std::move(plan);
  }
  const auto naming = is_normalised ? plan::Naming::canonical : plan::Naming::query;
  const bool show_rules = options.get(rules_option);
  const auto format = options.get(format_option);
  if (format == PlanFormat::json || format == PlanFormat::graph) {
    auto json = format == PlanFormat::json ? plan::plan_json(result.plan, naming)
                                           : plan::graph_json(plan::graph_of(result.plan));
    if (!show_rules) return json;
    JsonWriter report;
    report.begin_object().key("plan").json(json).key("rules").begin_array();
    for (const auto& firing : result.fired)
      report.begin_object().key("rule").value(firing.rule).key("times").value(firing.times).end_object();
    report.end_array().key("assumptions").value(plan::descriptions(result.assumptions)).end_object();
    return std::move(report).text();
  }
  if (format == PlanFormat::sql) return plan::to_sql(result.plan) + (show_rules ? "\n" + footer(result, "-- ") : "");
  if (format == PlanFormat::dot) return plan::plan_dot(result.plan, naming) + (show_rules ? footer(result, "// ") : "");
  return plan::plan_text(result.plan, naming) + (show_rules ? footer(result, "") : "");
}

Result<std::string> sql_plan(Session& session, const SharedScope& scope, std::string_view sql, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  TimeLimit limit(session);
  return with_dialect(session.host(),
                      [&](const ResolveOptions& dialect) { return show_plan(sql, *catalog, dialect, options, limit); });
}

}  // namespace

std::span<const FunctionSpec> sql_plan_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_plan>(
          {.name = "sql_plan",
           .signature = "sql_plan(sql [, opts])",
           .summary =
               "The relational operator tree of a query: as written, or normalised, with the rules that rewrote it.",
           .example = "SELECT sql_plan('SELECT a FROM t WHERE 1 + 1 < a', '{\"schema\":\"CREATE TABLE "
                      "t(a)\",\"format\":\"sql\"}'); "
                      "-- SELECT t1.a FROM main.t AS t1 WHERE t1.a > 2",
           .options = plan_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
