// Grounding: which queries the rules of src/semparse/grounding/grounding.hpp stop.
//
//   trustsql_bench_grounding [DATA [FILE]]     FILE: what each rule says of each query, as lines of JSON
//
// On Spider's training questions, one in four: the gold query, which should pass; the embedded parser's first reading,
// where it returns other rows; the gold query of another question about the same database; neighbours of the gold query
// (equiv/mutants.hpp) that return other rows. Then the recorded answers of thirteen systems to the validation
// questions: RS(0), RS(10) and RS(N) with and without the rules; and how often an answer is right with whose rows the
// embedded parser agrees (+EMBEDDED).
#include "semparse/grounding/grounding.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/random.hpp"
#include "db/results/column_match.hpp"
#include "equiv/mutants.hpp"
#include "semparse/parser.hpp"
#include "spider_databases.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;
using trustsql_bench::Databases;

constexpr std::size_t step = 4;
constexpr std::size_t mutants_of_one = 3;

struct Database {
  SandboxLease sandbox{};
  std::shared_ptr<const Catalog> catalog{};
  std::shared_ptr<const Knowledge> knowledge{};
};

struct Count {
  double all = 0;
  double stopped = 0;
  double by_rule[grounding_rules] = {};
  double misspelt = 0;
};

std::optional<Grounding> grounding_of(const Database& database, const std::string& question, const std::string& sql) {
  const auto query = parse_query(sql);
  if (!query.ok()) return std::nullopt;
  const auto resolution = resolve(*query, *database.catalog);
  if (!resolution.ok()) return std::nullopt;
  return ground(question, *query, *resolution, *database.knowledge);
}

bool same_rows(Sandbox& sandbox, const std::string& gold, const std::string& sql) {
  const auto expected = sandbox.run(gold);
  const auto given = sandbox.run(sql);
  if (!expected.ok() || !given.ok()) return false;
  const auto query = parse_query(gold);
  const auto order = query.ok() && !query->order_by.empty() ? RowOrder::list : RowOrder::bag;
  const auto match = match_columns(*expected, *given, order, 100'000);
  return match.ok() && match->has_value();
}

class Bench {
 public:
  Bench(Databases& databases, const char* path) : databases_(databases) {
    if (path != nullptr) file_.open(path);
  }

  void open() {
    for (auto i = open_.size(); i < databases_.list.size(); ++i) {
      Database database;
      database.sandbox = *databases_.list[i]->lease();
      database.catalog = *databases_.list[i]->catalog();
      database.knowledge = *Knowledge::build(*database.catalog, *database.sandbox);
      open_.push_back(std::move(database));
    }
  }
  Database& database(std::size_t number) { return open_[number]; }

  // Whether the query passes; one that does not resolve passes, since rules do not know it.
  bool count(const std::string& kind, std::size_t number, const std::string& question, const std::string& sql) {
    const auto grounding = grounding_of(open_[number], question, sql);
    auto& count = counts_[kind];
    ++count.all;
    if (!grounding) return true;
    bool broken[grounding_rules] = {};
    for (const auto& violation : grounding->violations) {
      broken[static_cast<std::size_t>(violation.rule)] = true;
      if (file_.is_open())
        file_ << nlohmann::json{{"kind", kind},
                                {"rule", rule_name(violation.rule)},
                                {"detail", violation.detail},
                                {"question", question},
                                {"sql", sql}}
                     .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
    }
    for (std::size_t i = 0; i < grounding_rules; ++i) count.by_rule[i] += broken[i] ? 1 : 0;
    count.misspelt += grounding->misspelt.empty() ? 0 : 1;
    const bool passes = grounding->violations.empty() && grounding->misspelt.empty();
    count.stopped += passes ? 0 : 1;
    return passes;
  }

  void train() {
    const auto questions = databases_.read("train.jsonl");
    open();
    const Parser parser(shipped_model());
    Random random(23);
    std::map<std::size_t, std::vector<std::size_t>> of_database;
    for (std::size_t i = 0; i < questions.size(); ++i) of_database[questions[i].database].push_back(i);
    for (std::size_t i = 0; i < questions.size(); i += step) {
      const auto& item = questions[i];
      auto& home = open_[item.database];
      count("gold", item.database, item.question, item.sql);
      const auto& list = of_database[item.database];
      const auto& other = questions[list[random.below(list.size())]];
      if (!same_rows(*home.sandbox, item.sql, other.sql))
        count("another question's", item.database, item.question, other.sql);
      const auto parse = parser.parse(item.question, *home.knowledge, *home.sandbox);
      if (parse.ok() && !parse->readings.empty() && !same_rows(*home.sandbox, item.sql, parse->readings.front().sql))
        count("wrong readings", item.database, item.question, parse->readings.front().sql);
      neighbours(item, home, random);
    }
    print();
  }

  void recorded() {
    std::map<std::string, Count> right;
    std::map<std::string, Count> wrong;
    std::map<std::string, Votes> votes;
    const Parser parser(shipped_model());
    std::vector<std::string> systems;
    (void)databases_.read("validation.jsonl");
    open();
    std::ifstream file(databases_.folder + "/recorded/recorded.jsonl");
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      const auto number = databases_.numbers.at(json["db_id"]);
      const auto parse =
          parser.parse(json["question"].get<std::string>(), *open_[number].knowledge, *open_[number].sandbox);
      const bool reads = parse.ok() && !parse->readings.empty() && parse->triage.feasible();
      for (const auto& sample : json["samples"]) {
        const std::string system = sample["system"];
        if (std::find(systems.begin(), systems.end(), system) == systems.end()) systems.push_back(system);
        const bool is_right = sample["ex"];
        auto& of_system = (is_right ? right : wrong)[system];
        ++of_system.all;
        const bool passes =
            count(is_right ? "recorded right" : "recorded wrong", number, json["question"], sample["sql"]);
        if (!passes) ++of_system.stopped;
        auto& vote = votes[system];
        const int agreement = !reads                                                                          ? 2
                              : same_rows(*open_[number].sandbox, sample["sql"], parse->readings.front().sql) ? 0
                                                                                                              : 1;
        ++vote.all[agreement];
        vote.right[agreement] += is_right ? 1 : 0;
        if (passes) {
          ++vote.passed[agreement];
          vote.passed_right[agreement] += is_right ? 1 : 0;
        }
      }
    }
    std::printf(
        "\n| system | RS(0) | RS(10) | RS(N) | with GROUND: RS(0) | RS(10) | RS(N) | right answers lost | wrong "
        "answers stopped |\n|---|---|---|---|---|---|---|---|---|\n");
    for (const auto& system : systems) {
      const auto& r = right[system];
      const auto& w = wrong[system];
      const double n = r.all + w.all;
      const auto score = [n](double good, double bad, double penalty) { return 100 * (good - penalty * bad) / n; };
      const double good = r.all - r.stopped;
      const double bad = w.all - w.stopped;
      std::printf("| %s | %.1f | %.1f | %.0f | %.1f | %.1f | %.0f | %.0f of %.0f (%.1f%%) | %.0f of %.0f (%.1f%%) |\n",
                  system.c_str(), score(r.all, w.all, 0), score(r.all, w.all, 10), score(r.all, w.all, n),
                  score(good, bad, 0), score(good, bad, 10), score(good, bad, n), r.stopped, r.all,
                  100 * r.stopped / r.all, w.stopped, w.all, 100 * w.stopped / w.all);
    }
    std::printf(
        "\n| system | the parser agrees: answers, right | differs | has no vote | answered where it does not differ: "
        "RS(10) | where it agrees | with GROUND: where it does not differ | where it agrees |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (const auto& system : systems) {
      const auto& v = votes[system];
      const double n = v.all[0] + v.all[1] + v.all[2];
      const auto rs = [n](double good, double all) { return 100 * (good - 10 * (all - good)) / n; };
      std::printf("| %s |", system.c_str());
      for (int i = 0; i < 3; ++i) std::printf(" %.0f, %.1f%% |", v.all[i], 100 * v.right[i] / std::max(1.0, v.all[i]));
      std::printf(" %.1f | %.1f | %.1f | %.1f |\n", rs(v.right[0] + v.right[2], v.all[0] + v.all[2]),
                  rs(v.right[0], v.all[0]), rs(v.passed_right[0] + v.passed_right[2], v.passed[0] + v.passed[2]),
                  rs(v.passed_right[0], v.passed[0]));
    }
    print();
  }

 private:
  // Answers by what the embedded parser says of them: 0 agrees, 1 differs, 2 has no vote.
  struct Votes {
    double all[3] = {};
    double right[3] = {};
    double passed[3] = {};  // the rules as well
    double passed_right[3] = {};
  };

  void neighbours(const LabelledQuestion& item, Database& home, Random& random) {
    const auto query = parse_query(item.sql);
    if (!query.ok()) return;
    const auto resolution = resolve(*query, *home.catalog);
    if (!resolution.ok()) return;
    const auto mutants = equiv::mutants_of(*query, &*resolution, 100);
    for (std::size_t taken = 0; taken < mutants_of_one && !mutants.empty(); ++taken) {
      const auto& mutant = mutants[random.below(mutants.size())];
      const auto sql = print_query(mutant.query);
      if (same_rows(*home.sandbox, item.sql, sql)) continue;
      count("neighbours", item.database, item.question, sql);
    }
  }

  void print() {
    std::printf("\n| rule |");
    for (const auto& [kind, count] : counts_) std::printf(" %s (%.0f) |", kind.c_str(), count.all);
    std::printf("\n|---|");
    for (std::size_t i = 0; i < counts_.size(); ++i) std::printf("---|");
    for (std::size_t rule = 0; rule < grounding_rules; ++rule) {
      std::printf("\n| %s |", std::string(rule_name(static_cast<GroundingRule>(rule))).c_str());
      for (const auto& [kind, count] : counts_) std::printf(" %.2f%% |", 100 * count.by_rule[rule] / count.all);
    }
    std::printf("\n| misspelt |");
    for (const auto& [kind, count] : counts_) std::printf(" %.2f%% |", 100 * count.misspelt / count.all);
    std::printf("\n| any |");
    for (const auto& [kind, count] : counts_) std::printf(" %.2f%% |", 100 * count.stopped / count.all);
    std::printf("\n");
    counts_.clear();
  }

  Databases& databases_;
  std::vector<Database> open_{};
  std::map<std::string, Count> counts_{};
  std::ofstream file_{};
};

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  Databases databases(argc > 1 ? argv[1] : set != nullptr ? set : TRUSTSQL_SOURCE_DIR "/../shared/data");
  Bench bench(databases, argc > 2 ? argv[2] : nullptr);
  bench.train();
  bench.recorded();
}
