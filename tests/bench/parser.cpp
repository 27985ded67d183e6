// The embedded parser: trains its model, and measures the one in this library.
//
//   trustsql_bench_parser [DATA]               the shipped model on Spider's validation databases
//   trustsql_bench_parser DATA --train FILE    a model of Spider's training databases, written to FILE
//
// DATA is the development data, by default $TRUSTSQL_DATA or ../shared/data. The model learns each training question in
// its own words and in those of Spider-Syn. That takes about ten minutes of processor time on each of two threads, and
// the same data always give the same bytes. It prints how the questions of databases that were left out would have been
// answered. Measuring prints the same for the validation databases.
#include "semparse/parser.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "db/results/column_match.hpp"
#include "db/sources/host_database.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/training/fitting.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "spider_databases.hpp"
#include "sql/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;
using trustsql_bench::Databases;

constexpr std::array<double, 9> thresholds = {0, 0.5, 0.7, 0.8, 0.85, 0.9, 10.0 / 11, 0.95, 0.98};

// What is answered at a threshold.
struct AnswerCounts {
  double feasible = 0;
  double infeasible = 0;
  double answered = 0;  // of the feasible ones
  double right = 0;
  double leaked = 0;                      // of the infeasible ones
  std::map<std::string, double> leaks{};  // by kind

  double precision() const { return answered == 0 ? 100.0 : 100 * right / answered; }
  // RS(penalty) with as many infeasible questions of all kinds together as feasible ones.
  double reliability(double penalty) const {
    const double gained = (right - penalty * (answered - right)) / feasible;
    const double kept = infeasible == 0 ? 1 : (infeasible - (1 + penalty) * leaked) / infeasible;
    return 50 * (gained + kept);
  }
};

AnswerCounts count_answers(const std::vector<HeldOutAnswer>& answers, double threshold) {
  AnswerCounts counts;
  for (const auto& answer : answers) {
    const bool answered = threshold <= 0 || (!answer.has_objections && answer.confidence >= threshold);
    if (answer.kind == "feasible") {
      ++counts.feasible;
      counts.answered += answered ? 1 : 0;
      counts.right += answered && answer.right ? 1 : 0;
    } else {
      ++counts.infeasible;
      counts.leaked += answered ? 1 : 0;
      counts.leaks[answer.kind] += answered ? 1 : 0;
    }
  }
  return counts;
}

// By threshold: coverage and precision of the feasible questions, and the share of each kind of infeasible ones that
// would have been answered.
void print_answers(const std::vector<HeldOutAnswer>& answers) {
  std::map<std::string, double> kinds;
  for (const auto& answer : answers)
    if (answer.kind != "feasible") ++kinds[answer.kind];
  std::printf("| threshold | answered | right of these |");
  for (const auto& [kind, count] : kinds) std::printf(" %s (%.0f) |", kind.c_str(), count);
  std::printf(" RS(0) | RS(10) | RS(N) |\n");
  for (const double threshold : thresholds) {
    auto counts = count_answers(answers, threshold);
    std::printf("| %.3f | %.1f%% | %.1f%% |", threshold, 100 * counts.answered / counts.feasible, counts.precision());
    for (const auto& [kind, count] : kinds) std::printf(" %.2f%% |", 100 * counts.leaks[kind] / count);
    std::printf(" %.1f | %.1f | %.1f |\n", counts.reliability(0), counts.reliability(10),
                counts.reliability(2 * counts.feasible));
  }
}

// The feasible questions alone: how many would have been answered rightly if all had to be answered.
void print_summary(const char* title, const std::vector<HeldOutAnswer>& answers) {
  double feasible = 0;
  double first = 0;
  double right = 0;
  double reachable = 0;
  for (const auto& answer : answers) {
    if (answer.kind != "feasible") continue;
    ++feasible;
    first += answer.ranked_first ? 1 : 0;
    right += answer.right ? 1 : 0;
    reachable += answer.reachable ? 1 : 0;
  }
  std::printf("%s: %.0f questions, right %.1f%%, before ranking %.1f%%, among the candidates %.1f%%\n", title, feasible,
              100 * right / feasible, 100 * first / feasible, 100 * reachable / feasible);
}

// How often the first reading is right, by confidence, also where it is not given for another reason: bins of equal
// weight, feasible and infeasible questions a half each; and the expected calibration error (Naeini et al. 2015).
void print_reliability(std::vector<HeldOutAnswer> answers) {
  constexpr int bins = 15;
  double feasible = 0;
  for (const auto& answer : answers) feasible += answer.kind == "feasible" ? 1 : 0;
  const double infeasible = static_cast<double>(answers.size()) - feasible;
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.confidence < b.confidence; });
  struct Bin {
    double weight = 0;
    double confidence = 0;
    double right = 0;
  };
  std::array<Bin, bins> diagram{};
  double passed = 0;
  for (const auto& answer : answers) {
    const double weight = 0.5 / (answer.kind == "feasible" ? feasible : infeasible);
    auto& bin = diagram[static_cast<std::size_t>(std::min(bins - 1, static_cast<int>(passed * bins)))];
    bin.weight += weight;
    bin.confidence += weight * answer.confidence;
    bin.right += answer.right ? weight : 0;
    passed += weight;
  }
  double error = 0;
  std::printf("| confidence | right |\n");
  for (const auto& bin : diagram) {
    if (bin.weight <= 0) continue;
    error += std::fabs(bin.confidence - bin.right);
    std::printf("| %.3f | %.3f |\n", bin.confidence / bin.weight, bin.right / bin.weight);
  }
  std::printf("expected calibration error %.4f\n", error);
}

// TrustSQL's unified approaches at their thresholds, on the same answers.
void print_unified(const ParserModel& model, const std::vector<HeldOutAnswer>& answers) {
  if (!model.unified) return;
  std::printf("| score | answered | right of these | infeasible answered | RS(0) | RS(10) |\n");
  for (std::size_t i = 0; i < unified_scores; ++i) {
    const auto score = static_cast<UnifiedScore>(i);
    auto judged = answers;
    for (auto& answer : judged) {
      const auto confidence = unified_confidence(score, answer.unified, &*model.unified);
      const auto threshold = model.unified->thresholds[i];
      answer.confidence = threshold && confidence.ok() && *confidence && **confidence >= *threshold ? 1 : 0;
    }
    const auto counts = count_answers(judged, 0.5);
    std::printf("| %s | %.1f%% | %.1f%% | %.2f%% | %.1f | %.1f |\n", std::string(unified_name(score)).c_str(),
                100 * counts.answered / counts.feasible, counts.precision(), 100 * counts.leaked / counts.infeasible,
                counts.reliability(0), counts.reliability(10));
  }
}

int train(Databases& databases, const char* path) {
  auto questions = databases.read("train.jsonl");
  const auto original = questions.size();
  for (auto& reworded : databases.read("train_syn.jsonl", "question_syn")) questions.push_back(std::move(reworded));
  FittingOptions options;
  options.threads = std::max<std::size_t>(2, std::thread::hardware_concurrency());
  options.progress = [](std::string_view what) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  };
  const auto fit = fit_model(databases.list, questions, options);
  if (!fit.ok()) {
    std::fprintf(stderr, "%s\n", fit.error().message.c_str());
    return 1;
  }
  const auto bytes = write_model(fit->model, max_model_weights);
  std::ofstream(path, std::ios::binary) << bytes;
  std::printf("%s: %zu bytes\n", path, bytes.size());
  std::vector<HeldOutAnswer> parts[2];
  for (const auto& answer : fit->held_out) parts[answer.question < original ? 0 : 1].push_back(answer);
  print_summary("Spider, databases that were left out", parts[0]);
  print_answers(parts[0]);
  print_reliability(parts[0]);
  print_unified(fit->model, parts[0]);
  print_summary("Spider-Syn, databases that were left out", parts[1]);
  print_answers(parts[1]);
  print_reliability(parts[1]);
  return 0;
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

int measure(Databases& databases) {
  const auto questions = databases.read("validation.jsonl");
  if (questions.empty()) {
    std::fprintf(stderr, "no development data in %s\n", databases.folder.c_str());
    return 1;
  }
  const Parser parser(shipped_model());
  std::vector<SandboxLease> sandboxes;
  std::vector<std::shared_ptr<const Knowledge>> knowledge;
  for (const auto& source : databases.list) {
    sandboxes.push_back(*source->lease());
    knowledge.push_back(*Knowledge::build(**source->catalog(), *sandboxes.back()));
  }
  std::vector<HeldOutAnswer> answers;
  std::vector<double> times;
  const auto ask = [&](std::size_t database, const std::string& question, const std::string& gold, std::string kind) {
    HeldOutAnswer answer{.database = database, .kind = std::move(kind)};
    const auto begun = std::chrono::steady_clock::now();
    const auto parse = parser.parse(question, *knowledge[database], *sandboxes[database]);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
    if (!parse.ok()) return;
    answer.confidence = parse->confidence;
    answer.has_objections = !parse->objections.none();
    answer.unified = parse->unified;
    for (std::size_t i = 0; i < parse->readings.size() && !gold.empty() && !answer.reachable; ++i) {
      answer.reachable = same_rows(*sandboxes[database], gold, parse->readings[i].sql);
      if (i == 0) answer.right = answer.reachable;
    }
    answers.push_back(std::move(answer));
  };
  Random random(17);
  for (const auto& item : questions) {
    ask(item.database, item.question, item.sql, "feasible");
    const auto other = (item.database + 1 + random.below(databases.list.size() - 1)) % databases.list.size();
    ask(other, item.question, "", "other database");
    const auto& domain = knowledge[item.database]->domain;
    const auto query = parse_query(item.sql);
    const auto tree = query.ok() ? tree_of(domain, *query) : std::nullopt;
    if (!tree) continue;
    QuestionLinker linker(domain, knowledge[item.database]->values);
    if (const auto text = surface_question(domain, linker, item.question, *tree, random))
      ask(item.database, *text, "", "surface");
    if (const auto text = unrelated_question(domain, linker, knowledge[other]->domain, item.question, *tree, random))
      ask(item.database, *text, "", "unrelated");
  }
  double right = 0;
  double reachable = 0;
  for (const auto& answer : answers) {
    right += answer.right ? 1 : 0;
    reachable += answer.reachable ? 1 : 0;
  }
  std::sort(times.begin(), times.end());
  const auto count = static_cast<double>(questions.size());
  std::printf(
      "%zu questions: right if it must always answer %.1f%%, among the readings %.1f%%; median %.2f ms a question\n",
      questions.size(), 100 * right / count, 100 * reachable / count, times[times.size() / 2]);
  print_answers(answers);
  print_reliability(answers);
  print_unified(*shipped_model(), answers);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  Databases databases(argc > 1 ? argv[1] : set != nullptr ? set : TRUSTSQL_SOURCE_DIR "/../shared/data");
  if (argc == 4 && std::string_view(argv[2]) == "--train") return train(databases, argv[3]);
  if (argc > 2) {
    std::fprintf(stderr, "usage: trustsql_bench_parser [DATA [--train FILE]]\n");
    return 2;
  }
  return measure(databases);
}
