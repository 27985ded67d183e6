// sql_em: exact set match, the syntactic accuracy of Spider.

#include <algorithm>
#include <array>
#include <map>

#include "base/json_writer.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/execution_options.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "score/set_match/exact_set_match.hpp"

namespace trustsql::ext {

namespace {

// exact, the parts, all.
constexpr auto em_components = [] {
  std::array<std::string_view, set_component_names.size() + 2> names = {"exact"};
  std::ranges::copy(set_component_names, names.begin() + 1);
  names.back() = "all";
  return names;
}();

constexpr Option<std::string> component_option = {
    .key = "component",
    .description =
        "What is compared. exact: everything; the name of one part: 1 if it is the same in both, NULL if "
        "neither has it; all: a JSON object with every part and its elements in gold, in pred and in both.",
    .default_value = "exact",
    .choices = Choices<std::string>(em_components)};
constexpr Option<OnGoldError> em_on_gold_error_option = {
    .key = "on_gold_error",
    .description =
        "The effect of a gold query that Spider's evaluator cannot read: error makes the call fail, skip "
        "gives NULL.",
    .default_value = OnGoldError::error,
    .choices = gold_error_choices};
constexpr auto em_options = option_table(schema_options, component_option, em_on_gold_error_option);

// The evaluator's representation of each schema, for the calls of one statement.
class Schemas {
 public:
  const set_match::Schema& of(const std::shared_ptr<const Catalog>& catalog) {
    const auto cached = schemas_.find(catalog);
    return cached != schemas_.end() ? cached->second
                                    : schemas_.emplace(catalog, set_match::Schema(*catalog)).first->second;
  }

 private:
  std::map<std::shared_ptr<const Catalog>, set_match::Schema> schemas_;
};

std::string set_match_json(const SetMatch& match) {
  JsonWriter json;
  json.begin_object().key("exact").value(match.exact ? 1 : 0);
  for (std::size_t i = 0; i < set_component_names.size(); ++i) {
    const auto& component = match.components[i];
    json.key(set_component_names[i]).begin_object();
    json.key("gold").value(component.gold).key("pred").value(component.pred);
    json.key("matched").value(component.matched).key("score").value(component.score() ? 1 : 0).end_object();
  }
  if (match.unreadable) json.key("unreadable").value(*match.unreadable);
  return std::move(json.end_object()).text();
}

Result<Value> sql_em(Session& session, const SharedScope& scope, std::string_view gold, std::string_view prediction,
                     const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  const auto match = exact_set_match(gold, prediction, scope->shared<Schemas>().of(catalog));
  if (!match.ok()) {
    if (options.get(em_on_gold_error_option) == OnGoldError::skip) return Value();
    return match.error();
  }
  const auto component = options.get(component_option);
  if (component == "exact") return Value(std::int64_t{match->exact ? 1 : 0});
  if (component == "all") return Value(set_match_json(*match));
  const auto* const name = std::find(set_component_names.begin(), set_component_names.end(), component);
  const auto& part = match->components[static_cast<std::size_t>(name - set_component_names.begin())];
  if (part.gold == 0 && part.pred == 0) return Value();
  return Value(std::int64_t{part.score() ? 1 : 0});
}

}  // namespace

std::span<const FunctionSpec> sql_em_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_em>({.name = "sql_em",
                      .signature = "sql_em(gold, pred [, opts])",
                      .summary = "EM, exact set match: 1 if the predicted query has the same parts as the gold query, "
                                 "ignoring values, as Spider's official evaluator judges it; a query that it cannot "
                                 "read matches nothing. NULL if either is NULL.",
                      .example = "SELECT sql_em('SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = 2', "
                                 "'{\"schema\":\"CREATE TABLE t(a, b)\"}'); -- 1",
                      .options = em_options,
                      .entry_point = EntryPoint::offline,
                      .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
