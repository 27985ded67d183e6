// The graph matching network: trains it on labelled pairs, and shows how well it agrees with people.
//
//   gmn DATA PAIRS.jsonl [option value]...
//
// DATA: the development data; PAIRS: what trustsql_bench_labelled_pairs writes. Differences that people do not count
// are taken for the same (Deviations null, column_order and type), and those they are of two minds about are left out.
// The annotated pairs of DATA are for validation only.
//
//   --save FILE          writes the best network
//   --checkpoint FILE    goes on from there if it exists
//   --load FILE          does not train: measures this network
//   --table 3            trains the rows of FuncEvalGMN's Table 3 for three seeds and prints their AUC
//   --epochs, --pretraining_epochs, --batch, --rate, --seed, --renamed, --variants, --threads, --limit (pairs)
//   --channels, --representation ast, --flows 0, --positions none|separate
//
// Prints each epoch, and at the end AUC, Kendall's tau, Spearman's r on the validation pairs, the time of loading and
// of a pair with and without known strings.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "base/ranking_metrics.hpp"
#include "bench/pair_files.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "db/stores/files.hpp"
#include "gmn/graph_comparer.hpp"
#include "gmn/pair_graphs.hpp"
#include "gmn/trainer.hpp"
#include "gmn/weights_file.hpp"
#include "score/statistics/correlation.hpp"

namespace {

using namespace trustsql;
using namespace trustsql_bench;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

struct Pair {
  std::string a;
  std::string b;
  bool same = false;
  std::size_t schema = 0;
};

// Pairs and the schemas that they are over.
class PairFiles {
 public:
  PairFiles(sqlite3* host, fs::path data) : schemas_(host, std::move(data)) {}

  std::vector<Pair> read(const std::string& path, std::size_t limit) {
    std::vector<Pair> pairs;
    std::ifstream lines(path);
    std::size_t equal_plans_seen = 0;
    for (std::string line; pairs.size() < limit && std::getline(lines, line);) {
      const auto json = nlohmann::json::parse(line);
      const auto label = people_label(json);
      const bool equal_plans = json.value("confirmed", "") == "same_plan";
      if (!label || (equal_plans && ++equal_plans_seen % 2 == 0)) continue;
      pairs.push_back({json.at("a"), json.at("b"), *label, schema_of(json)});
    }
    return pairs;
  }
  const Catalog& catalog(std::size_t schema) const { return *catalogs_[schema]; }

 private:
  static std::optional<bool> people_label(const nlohmann::json& pair) {
    const bool same = pair.at("label") == 1;
    if (same || !pair.contains("deviations")) return same;
    const std::set<std::string> not_counted = {"null", "column_order", "type", "affinity"};
    const std::set<std::string> undecided = {"empty", "row_order"};
    bool doubtful = false;
    std::istringstream deviations(pair.at("deviations").get<std::string>());
    for (std::string deviation; std::getline(deviations, deviation, '+');) {
      if (undecided.count(deviation) > 0)
        doubtful = true;
      else if (not_counted.count(deviation) == 0)
        return false;
    }
    if (doubtful) return std::nullopt;
    return !pair.at("deviations").get<std::string>().empty();
  }

  std::size_t schema_of(const nlohmann::json& pair) {
    const auto [found, added] = numbers_.try_emplace(PairSchemas::name(pair), catalogs_.size());
    if (added) {
      const auto catalog = value_or_exit(schemas_.open(pair)->catalog());
      catalogs_.push_back(std::make_unique<Catalog>(gmn::graph_catalog(*catalog)));
    }
    return found->second;
  }

  PairSchemas schemas_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::unique_ptr<Catalog>> catalogs_;
};

ResolveOptions dialect() { return {.version = sqlite3_libversion_number()}; }

gmn::PairGraphs graphs_of(const std::vector<Pair>& pairs, const PairFiles& schemas, gmn::Representation representation,
                          double variants, std::uint64_t seed) {
  gmn::PairGraphs graphs(representation, variants, seed);
  std::size_t skipped = 0;
  for (const auto& pair : pairs) {
    if (!graphs.add(pair.a, pair.b, pair.same, pair.schema, pair.schema, schemas.catalog(pair.schema), dialect(), {})
             .ok())
      ++skipped;
  }
  std::printf("%zu pairs, %zu graphs, %zu skipped\n", graphs.graphs().pairs.size(), graphs.graphs().graphs.size(),
              skipped);
  return graphs;
}

// How well the network agrees with the labels of `pairs`.
double validate(const gmn::Network& network, const std::vector<Pair>& pairs, const PairFiles& schemas, bool print) {
  const auto& h = network.hyperparameters();
  gmn::PairGraphs graphs(h.representation, 0, 1);
  for (const auto& pair : pairs)
    value_or_exit([&]() -> Result<bool> {
      TRUSTSQL_RETURN_IF_ERROR(
          graphs.add(pair.a, pair.b, pair.same, 0, pair.schema, schemas.catalog(pair.schema), dialect(), {}));
      return true;
    }());
  const auto set = gmn::encode(graphs.graphs(), network.vocabulary(), h.flows);
  gmn::BatchPass pass(network, set.texts, 1);
  std::vector<gmn::BatchPass::Item> items;
  for (const auto& pair : set.pairs) items.push_back({&set.graphs[pair.first], &set.graphs[pair.second]});
  const auto distances = pass.distances(items);
  std::vector<LabelledScore> scores;
  trustsql::Pairs continuous;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    scores.push_back({-static_cast<double>(distances[i]), set.pairs[i].same});
    continuous.emplace_back(-static_cast<double>(distances[i]), set.pairs[i].same ? 1 : 0);
  }
  const double auc = roc_auc(scores).value_or(0);
  if (print)
    std::printf("validation: %zu pairs, AUC %.4f, Kendall's tau-b %.4f, Spearman's r %.4f\n", pairs.size(), auc,
                kendall_tau(continuous, KendallVariant::b).value_or(0), spearman(continuous).value_or(0));
  return auc;
}

void time_pairs(const std::shared_ptr<const gmn::TrainedNetwork>& trained, const std::vector<Pair>& pairs,
                const PairFiles& schemas) {
  const auto representation = trained->network.hyperparameters().representation;
  std::vector<std::pair<plan::PlanGraph, plan::PlanGraph>> graphs;
  for (const auto& pair : pairs) {
    const auto graph = [&](const std::string& sql) {
      return value_or_exit(gmn::query_graph(sql, schemas.catalog(pair.schema), dialect(), representation, {}));
    };
    graphs.emplace_back(graph(pair.a), graph(pair.b));
  }
  gmn::GraphComparer comparer(trained);
  for (const char* what : {"strings new", "strings known"}) {
    const auto begun = Clock::now();
    for (const auto& [a, b] : graphs) comparer.distance(a, b);
    std::printf("%s: %.3f ms a pair\n", what, 1e3 * seconds_since(begun) / static_cast<double>(graphs.size()));
  }
}

class Arguments {
 public:
  Arguments(int count, char** values) {
    for (int i = 0; i + 1 < count; i += 2) named_[values[i]] = values[i + 1];
  }
  std::string text(const std::string& name, const std::string& otherwise = {}) const {
    const auto found = named_.find("--" + name);
    return found == named_.end() ? otherwise : found->second;
  }
  double number(const std::string& name, double otherwise) const {
    const auto found = text(name);
    return found.empty() ? otherwise : std::stod(found);
  }
  int integer(const std::string& name, int otherwise) const { return static_cast<int>(number(name, otherwise)); }

 private:
  std::map<std::string, std::string> named_;
};

gmn::Hyperparameters hyperparameters_of(const Arguments& arguments) {
  auto h = gmn::shipped_hyperparameters;
  h.string_channels = arguments.integer("channels", h.string_channels);
  if (arguments.text("representation") == "ast") h.representation = gmn::Representation::ast;
  h.flows = arguments.integer("flows", 1) == 1;
  if (arguments.text("positions") == "none") h.positions = gmn::Positions::none;
  if (arguments.text("positions") == "separate") h.positions = gmn::Positions::separate;
  return h;
}

gmn::TrainingOptions training_options_of(const Arguments& arguments) {
  gmn::TrainingOptions options;
  options.epochs = arguments.integer("epochs", options.epochs);
  options.pretraining_epochs = arguments.integer("pretraining_epochs", options.pretraining_epochs);
  options.batch = arguments.integer("batch", options.batch);
  options.rate = options.pretraining_rate = arguments.number("rate", options.rate);
  options.renamed = arguments.number("renamed", options.renamed);
  options.patience = arguments.integer("patience", options.patience);
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed", 1));
  return options;
}

gmn::TrainedNetwork train(const gmn::PairGraphs& graphs, const gmn::Hyperparameters& h,
                          const gmn::TrainingOptions& options, const Arguments& arguments) {
  const auto trainer = value_or_exit(gmn::Trainer::create(graphs.graphs(), graphs.groups(), h, options,
                                                          static_cast<std::size_t>(arguments.integer("threads", 2))));
  const auto checkpoint = arguments.text("checkpoint");
  const auto parameters = trainer->best().parameters().values().size();
  if (!checkpoint.empty() && fs::exists(checkpoint)) {
    trainer->restore(value_or_exit(gmn::read_checkpoint(value_or_exit(read_file(checkpoint, gmn::max_weights_file)),
                                                        trainer->fingerprint(), parameters)));
  }
  std::printf("%zu parameters, %zu pairs, %zu held out\n", parameters, trainer->training_pairs(),
              trainer->held_out_pairs());
  const auto begun = Clock::now();
  int epochs = 0;
  while (const auto report = value_or_exit(trainer->next([] { return false; }))) {
    std::printf("%s %d: loss %.4f, AUC held out %.4f%s, %.0f s\n", report->pretraining ? "pre-training" : "epoch",
                report->epoch, report->loss, report->auc.value_or(0), report->is_best ? " *" : "",
                seconds_since(begun));
    std::fflush(stdout);
    if (!report->pretraining) epochs = report->epoch;
    if (!checkpoint.empty())
      (void)write_file(checkpoint, gmn::write_checkpoint(trainer->state(), trainer->fingerprint()));
  }
  JsonWriter training;
  training.begin_object()
      .key("pairs")
      .value(trainer->training_pairs())
      .key("held_out")
      .value(trainer->held_out_pairs());
  training.key("epochs").value(epochs).key("auc").value(trainer->best_auc()).key("seed").value(options.seed);
  return {trainer->best(), std::move(training.end_object()).text()};
}

// Table 3 of the paper, row by row.
void ablation(const std::vector<Pair>& pairs, const std::vector<Pair>& validation, const PairFiles& schemas,
              const Arguments& arguments) {
  using gmn::Positions;
  struct Row {
    const char* name;
    gmn::Representation representation;
    bool flows;
    Positions positions;
    bool pretraining;
  };
  const Row rows[] = {
      {"AST", gmn::Representation::ast, false, Positions::none, false},
      {"RelNode", gmn::Representation::rel_node, false, Positions::none, false},
      {"+ logic and data flows", gmn::Representation::rel_node, true, Positions::none, false},
      {"+ separate positions", gmn::Representation::rel_node, true, Positions::separate, false},
      {"+ merged positions", gmn::Representation::rel_node, true, Positions::merged, false},
      {"+ pre-training", gmn::Representation::rel_node, true, Positions::merged, true},
  };
  for (const auto& row : rows) {
    std::string line = row.name;
    for (int seed = 1; seed <= 3; ++seed) {
      auto h = hyperparameters_of(arguments);
      h.representation = row.representation;
      h.flows = row.flows;
      h.positions = row.positions;
      auto options = training_options_of(arguments);
      options.seed = static_cast<std::uint64_t>(seed);
      if (!row.pretraining) options.pretraining_epochs = 0;
      const auto graphs = graphs_of(pairs, schemas, row.representation,
                                    arguments.number("variants", gmn::default_variants), options.seed);
      const auto trained = train(graphs, h, options, arguments);
      char auc[32];
      std::snprintf(auc, sizeof auc, " | %.4f", validate(trained.network, validation, schemas, false));
      line += auc;
    }
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }
}

int run(sqlite3* host, const fs::path& data, const std::string& path, const Arguments& arguments) {
  PairFiles schemas(host, data);
  const auto limit = static_cast<std::size_t>(arguments.number("limit", 1e9));
  const auto validation = schemas.read((data / "pairs/spider_pair_validation.jsonl").string(), limit);
  if (const auto file = arguments.text("load"); !file.empty()) {
    const auto begun = Clock::now();
    auto trained = value_or_exit(gmn::read_weights(value_or_exit(read_file(file, gmn::max_weights_file))));
    std::printf("loaded in %.1f ms\n", 1e3 * seconds_since(begun));
    validate(trained.network, validation, schemas, true);
    time_pairs(std::make_shared<const gmn::TrainedNetwork>(std::move(trained)), validation, schemas);
    return 0;
  }
  const auto pairs = schemas.read(path, limit);
  if (arguments.text("table") == "3") {
    ablation(pairs, validation, schemas, arguments);
    return 0;
  }
  const auto h = hyperparameters_of(arguments);
  const auto options = training_options_of(arguments);
  const auto graphs =
      graphs_of(pairs, schemas, h.representation, arguments.number("variants", gmn::default_variants), options.seed);
  auto trained = train(graphs, h, options, arguments);
  if (const auto file = arguments.text("save"); !file.empty()) {
    if (const auto written = write_file(file, gmn::write_weights(trained)); !written.ok()) {
      std::fprintf(stderr, "%s\n", written.error().message.c_str());
      return 1;
    }
  }
  validate(trained.network, validation, schemas, true);
  time_pairs(std::make_shared<const gmn::TrainedNetwork>(std::move(trained)), validation, schemas);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: gmn DATA PAIRS.jsonl [option value]...\n");
    return 2;
  }
  sqlite3* host = nullptr;
  if (sqlite3_open(":memory:", &host) != SQLITE_OK) return 1;
  const int code = run(host, argv[1], argv[2], Arguments(argc - 3, argv + 3));
  sqlite3_close(host);
  return code;
}
