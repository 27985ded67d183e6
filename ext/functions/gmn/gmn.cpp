// gmn_info, gmn_load, gmn_save, gmn_attention, gmn_attention_svg: the graph matching network of this connection.

#include "base/json_tree.hpp"
#include "base/json_writer.hpp"
#include "db/stores/files.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/gmn_service.hpp"
#include "ext/services/host_dialect.hpp"
#include "gmn/attention_svg.hpp"

namespace trustsql::ext {

namespace {

constexpr Option<int> attention_step_option = {
    .key = "step",
    .description = "The propagation step whose attention is shown, from 1; 0: the last one.",
    .default_value = 0,
    .min = 0,
    .max = 1'000};
constexpr auto attention_options = option_table(schema_options, attention_step_option);

Result<std::string> info_of(GmnService& service) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, service.comparer());
  const auto& trained = comparer->trained();
  JsonWriter json;
  json.begin_object().key("origin").value(service.origin());
  json.key("parameters").value(trained.network.parameters().values().size());
  json.key("vocabulary").value(trained.network.vocabulary().size());
  json.key("hyperparameters").json(gmn::hyperparameters_json(trained.network.hyperparameters()));
  json.key("training");
  constexpr int nesting = 8;  // a file may say anything there
  parse_json(trained.training, nesting) ? json.json(trained.training) : json.null();
  return std::move(json.end_object()).text();
}

Result<std::string> gmn_info(Session& session) { return info_of(GmnService::of(session)); }

Result<std::string> gmn_load(Session& session, std::string_view path) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto bytes, read_file(path, gmn::max_weights_file));
  auto trained = gmn::read_weights(bytes);
  if (!trained.ok()) return std::move(trained).error().with_prefix(quote_for_message(path));
  auto& service = GmnService::of(session);
  service.replace(std::make_shared<const gmn::TrainedNetwork>(*std::move(trained)), std::string(path));
  return info_of(service);
}

Result<std::int64_t> gmn_save(Session& session, std::string_view path) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const comparer, GmnService::of(session).comparer());
  const auto bytes = gmn::write_weights(comparer->trained());
  TRUSTSQL_RETURN_IF_ERROR(check_replaceable(path, gmn::own_start, gmn::is_own_file, "file of weights"));
  TRUSTSQL_RETURN_IF_ERROR(write_file(path, bytes));
  return static_cast<std::int64_t>(bytes.size());
}

struct AttendedPair {
  std::pair<plan::PlanGraph, plan::PlanGraph> graphs;
  gmn::Attention attention;
};

Result<AttendedPair> attention_of(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                                  const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  AttendedPair pair;
  std::vector<gmn::Attention> steps;
  TimeLimit limit(session);
  TRUSTSQL_ASSIGN_OR_RETURN(
      [[maybe_unused]] const double distance, with_dialect(session.host(), [&](const ResolveOptions& dialect) {
        steps.clear();
        return GmnService::of(session).distance(a, b, catalog, dialect, limit, &steps, &pair.graphs);
      }));
  const auto step = static_cast<std::size_t>(options.get(attention_step_option));
  if (step > steps.size())
    return invalid_argument("option 'step' is " + std::to_string(step) + ", and the network has " +
                            std::to_string(steps.size()) + " steps");
  pair.attention = std::move(steps[step == 0 ? steps.size() - 1 : step - 1]);
  return pair;
}

void append_attention(ResultSet& rows, std::string_view from, const gmn::Matrix& weights, const plan::PlanGraph& own,
                      const plan::PlanGraph& other) {
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
      rows.append(ValueView::of_text(from));
      rows.append(ValueView::of_integer(i));
      rows.append(ValueView::of_text(own.nodes[static_cast<std::size_t>(i)].value));
      rows.append(ValueView::of_integer(j));
      rows.append(ValueView::of_text(other.nodes[static_cast<std::size_t>(j)].value));
      rows.append(ValueView::of_real(static_cast<double>(weights(i, j))));
    }
  }
}

Result<ResultSet> gmn_attention(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                                const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto pair, attention_of(session, scope, a, b, options));
  ResultSet rows({"origin", "node", "value", "other_node", "other_value", "weight"});
  append_attention(rows, "a", pair.attention.forth, pair.graphs.first, pair.graphs.second);
  append_attention(rows, "b", pair.attention.back, pair.graphs.second, pair.graphs.first);
  return rows;
}

Result<std::string> gmn_attention_svg(Session& session, const SharedScope& scope, std::string_view a,
                                      std::string_view b, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto pair, attention_of(session, scope, a, b, options));
  return gmn::attention_svg(pair.graphs.first, pair.graphs.second, pair.attention);
}

}  // namespace

std::span<const FunctionSpec> gmn_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<gmn_info>({.name = "gmn_info",
                        .signature = "gmn_info()",
                        .summary = "The network that sql_similarity's metric 'gmn' uses on this connection, as JSON: "
                                   "its origin (shipped, trained, or the path of a file), how many parameters it has, "
                                   "its sizes, how it was trained.",
                        .example = "SELECT json_extract(gmn_info(), '$.origin'); -- shipped",
                        .entry_point = EntryPoint::pure,
                        .effect = Effect::state}),
      scalar<gmn_save>({.name = "gmn_save",
                        .signature = "gmn_save(path)",
                        .summary = "Writes the network to a file in the format safetensors, in place of an existing "
                                   "one. Returns the number of bytes.",
                        .example = "SELECT gmn_save('network.safetensors') > 100000; -- 1",
                        .entry_point = EntryPoint::offline,
                        .effect = Effect::state}),
      scalar<gmn_load>(
          {.name = "gmn_load",
           .signature = "gmn_load(path)",
           .summary = "Reads a network that gmn_save() wrote; this connection uses it from then on. "
                      "Returns what gmn_info() returns. A file that is damaged or of another version is "
                      "an error, and the network stays what it was.",
           .example = "SELECT json_extract(gmn_load('network.safetensors'), '$.origin'); -- network.safetensors",
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<gmn_attention>(
          {.name = "gmn_attention",
           .signature = "gmn_attention(a, b [, opts])",
           .summary = "The network's cross-graph attention (FuncEvalGMN's Figure 17): for each node of a the weights "
                      "of b's nodes (origin 'a'), and the reverse (origin 'b'). The weights of a node add up to 1. "
                      "Nodes are numbered as in sql_plan's format graph.",
           .example = "SELECT count(*), round(sum(weight)) FROM gmn_attention('SELECT a FROM t', 'SELECT b FROM t', "
                      "'{\"schema\":\"CREATE TABLE t(a, b)\"}'); -- 50 | 10.0",
           .columns = "origin TEXT, node INTEGER, value TEXT, other_node INTEGER, other_value TEXT, weight REAL",
           .options = attention_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<gmn_attention_svg>(
          {.name = "gmn_attention_svg",
           .signature = "gmn_attention_svg(a, b [, opts])",
           .summary = "A picture of both graphs as SVG, with a line from each node to the node of the other graph that "
                      "it attends to most; the more opaque, the larger the weight.",
           .example = "SELECT substr(gmn_attention_svg('SELECT a FROM t', 'SELECT b FROM t', "
                      "'{\"schema\":\"CREATE TABLE t(a, b)\"}'), 1, 4); -- <svg",
           .options = attention_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
