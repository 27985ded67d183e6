// Learning from examples: how well the embedded parser answers questions of a domain from examples of the same domain.
//
//   trustsql_bench_examples [DATA] [SET ...] [--limit N] [--held-out FILE]
//   trustsql_bench_examples --fit FILE
//
// DATA is the development data, by default $TRUSTSQL_DATA or ../shared/data. SET: ehrsql (train learned, valid asked),
// atis_query, atis_question, advising_query, advising_question (train and dev learned, test asked, by the splits of
// Finegan-Dollak et al. 2018); all of them by default. --limit learns from N examples only, chosen at random.
// --held-out appends the features and outcomes of held-out examples to FILE, and asks nothing. --fit makes the
// library's own confidence from such a file: it prints src/semparse/examples/weights/confidence.inc.
//
// There are no databases: an answer is right if it is the gold query by its tokens, or proved equivalent to it.
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "db/sandbox/sandbox.hpp"
#include "db/sources/ddl_source.hpp"
#include "equiv/verdict.hpp"
#include "semparse/examples/example_model.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;

struct Task {
  std::vector<LearnedExample> learned{};
  std::vector<LearnedExample> asked{};
  std::string schema{};
};

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

LearnedExample example_of(const nlohmann::json& line) {
  LearnedExample example{line["question"]};
  if (!line["gold"].is_null()) example.sql = line["gold"].get<std::string>();
  return example;
}

Task read_task(const std::string& data, const std::string& set) {
  Task task;
  if (set == "ehrsql") {
    for (const auto& line : lines_of(data + "/ehrsql/train.jsonl")) task.learned.push_back(example_of(line));
    for (const auto& line : lines_of(data + "/ehrsql/valid.jsonl")) task.asked.push_back(example_of(line));
    task.schema = text_of(data + "/ehrsql/mimic_iv.sql");
    return task;
  }
  const auto corpus = set.substr(0, set.find('_'));
  const auto split = set.substr(set.find('_') + 1) + "_split";
  for (const auto& line : lines_of(data + "/corpora/" + corpus + "_questions.jsonl")) {
    if (!line.contains(split) || !line[split].is_string()) continue;
    const std::string part = line[split];
    if (part == "test") task.asked.push_back(example_of(line));
    if (part == "train" || part == "dev") task.learned.push_back(example_of(line));
  }
  task.schema = text_of(data + "/corpora/schemas/" + corpus + ".sql");
  return task;
}

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

struct Answered {
  double confidence = 0;
  bool right = false;
  bool feasible = false;
};

void print_thresholds(const std::vector<Answered>& answers) {
  std::printf(
      "| threshold | answered of the feasible | right of these | infeasible answered | wrong of all | RS(0) | RS(10) | "
      "RS(N) |\n");
  const auto n = static_cast<double>(answers.size());
  for (const double threshold : {0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 10.0 / 11, 0.93, 0.95, 0.97, 0.98, 0.99}) {
    double feasible = 0;
    double infeasible = 0;
    double right = 0;
    double answered = 0;
    double leaked = 0;
    for (const auto& each : answers) {
      (each.feasible ? feasible : infeasible) += 1;
      if (each.confidence < threshold || each.confidence == 0) continue;
      if (each.feasible) {
        answered += 1;
        right += each.right ? 1 : 0;
      } else {
        leaked += 1;
      }
    }
    const double wrong = answered - right + leaked;
    const double kept = infeasible - leaked;
    const auto rs = [&](double c) { return 100 * (right + kept - c * wrong) / n; };
    std::printf("| %.3f | %.1f%% | %.2f%% | %.2f%% | %.2f%% | %.1f | %.1f | %.0f |\n", threshold,
                100 * answered / feasible, answered == 0 ? 100.0 : 100 * right / answered,
                infeasible == 0 ? 0 : 100 * leaked / infeasible, 100 * wrong / n, rs(0), rs(10), rs(n));
  }
}

int measure(const std::string& data, const std::string& set, std::size_t limit, const char* held_out) {
  auto task = read_task(data, set);
  if (task.asked.empty()) {
    std::fprintf(stderr, "no development data for %s in %s\n", set.c_str(), data.c_str());
    return 1;
  }
  if (task.learned.size() > limit) {
    Random random(limit);
    for (std::size_t i = task.learned.size(); i > 1; --i) std::swap(task.learned[i - 1], task.learned[random.below(i)]);
    task.learned.resize(limit);
  }
  ExampleModelOptions options;
  if (held_out != nullptr) options.min_outcomes = 50;
  auto begun = std::chrono::steady_clock::now();
  const auto model = ExampleModel::learn(task.learned, options, {});
  std::printf("\n%s: %zu examples learned in %.2f s\n", set.c_str(), task.learned.size(), seconds_since(begun));
  if (held_out != nullptr) {
    std::ofstream file(held_out, std::ios::app);
    for (const auto& each : (*model)->held_out()) {
      if (!each.answered) continue;
      file << set << ' ' << each.infeasible << ' ' << each.weight << ' ' << each.group << ' ' << each.rows.size();
      for (std::size_t i = 0; i < each.rows.size(); ++i) {
        file << ' ' << each.right_rows[i] << ' ' << each.rows[i].size();
        for (const float feature : each.rows[i]) file << ' ' << feature;
      }
      file << '\n';
    }
  }
  {
    double counts[2][4] = {};
    double infeasible = 0;
    double leaked = 0;
    for (const auto& each : (*model)->held_out()) {
      if (each.infeasible) {
        infeasible += 1;
        leaked += each.answered ? 1 : 0;
        continue;
      }
      auto& row = counts[each.template_left_out ? 1 : 0];
      row[0] += 1;
      row[1] += each.answered ? 1 : 0;
      row[2] += each.right() ? 1 : 0;
      row[3] += each.reachable ? 1 : 0;
    }
    std::printf(
        "held out: of known templates %.0f, right %.1f%%, among the candidates %.1f%%; of templates left out %.0f, "
        "right %.1f%%, among the candidates %.1f%%; infeasible %.0f, not seen as such %.1f%%\n",
        counts[0][0], 100 * counts[0][2] / std::max(1.0, counts[0][0]),
        100 * counts[0][3] / std::max(1.0, counts[0][0]), counts[1][0],
        100 * counts[1][2] / std::max(1.0, counts[1][0]), 100 * counts[1][3] / std::max(1.0, counts[1][0]), infeasible,
        100 * leaked / std::max(1.0, infeasible));
  }
  if (held_out != nullptr) return 0;
  const auto settings = Settings::create([](std::string_view) { return std::optional<std::string>(); });
  const auto source = open_ddl(task.schema, *settings);
  std::unique_ptr<equiv::QueryComparer> comparer;
  if (source.ok()) {
    auto made = equiv::QueryComparer::create(**source, SandboxLimits::from(*settings));
    if (made.ok()) comparer = std::move(*made);
  }
  if (!comparer)
    std::fprintf(stderr, "the schema of %s cannot be read; answers are compared by their tokens\n", set.c_str());
  std::vector<Answered> answers;
  std::vector<double> times;
  std::size_t proved = 0;
  std::size_t first_right = 0;
  for (const auto& item : task.asked) {
    begun = std::chrono::steady_clock::now();
    const auto answer = (*model)->answer(item.question, nullptr);
    times.push_back(1000 * seconds_since(begun));
    Answered each{answer.sql ? answer.confidence : 0, false, item.sql.has_value()};
    if (answer.sql && item.sql) {
      each.right = token_text(*answer.sql) == token_text(*item.sql);
      // Proofs take time, and matter where there may be an answer.
      if (!each.right && each.confidence >= 0.5 && comparer) {
        const auto compared = comparer->compare(*item.sql, *answer.sql, {}, {});
        each.right = compared.ok() && compared->verdict == equiv::Verdict::proved;
        proved += each.right ? 1 : 0;
      }
    }
    first_right += each.right ? 1 : 0;
    answers.push_back(each);
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%zu questions asked: right if always answered %.1f%% of the feasible (%zu by proof); median %.2f ms each\n",
      task.asked.size(),
      100 * static_cast<double>(first_right) /
          static_cast<double>(std::count_if(answers.begin(), answers.end(), [](const auto& a) { return a.feasible; })),
      proved, times[times.size() / 2]);
  print_thresholds(answers);
  return 0;
}

// Each line: the set, whether the example is infeasible, its weight, its group, and its candidates: how many, and of
// each whether it is right, how many features it has, and these.
int fit(const char* path) {
  std::vector<HeldOutExample> held_out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string set;
    HeldOutExample example{.answered = true};
    std::size_t rows = 0;
    in >> set >> example.infeasible >> example.weight >> example.group >> rows;
    for (std::size_t i = 0; i < rows; ++i) {
      bool right = false;
      std::size_t width = 0;
      in >> right >> width;
      auto& row = example.rows.emplace_back(width);
      for (auto& feature : row) in >> feature;
      example.right_rows.push_back(right);
    }
    held_out.push_back(std::move(example));
  }
  if (held_out.empty()) {
    std::fprintf(stderr, "%s has no outcomes\n", path);
    return 1;
  }
  const auto confidence = learn_example_confidence(held_out);
  const auto print = [](const char* name, const std::vector<float>& numbers) {
    std::printf("constexpr float %s[] = {", name);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      std::printf("%s%.5eF,", i % 12 == 0 ? "\n    " : " ", static_cast<double>(numbers[i]));
    std::printf("\n};\n");
  };
  std::printf("// Made by trustsql_bench_examples --fit (docs/results.md, learning from examples).\n");
  print("choice_trees", confidence.choice.to_numbers());
  print("confidence_trees", confidence.outcome.trees.to_numbers());
  print("confidence_levels", confidence.outcome.map.to_numbers());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  std::string data = set != nullptr ? set : TRUSTSQL_SOURCE_DIR "/../shared/data";
  std::vector<std::string> sets;
  std::size_t limit = 1'000'000;
  const char* held_out = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--limit" && i + 1 < argc) {
      limit = std::strtoul(argv[++i], nullptr, 10);
    } else if (argument == "--held-out" && i + 1 < argc) {
      held_out = argv[++i];
    } else if (argument == "--fit" && i + 1 < argc) {
      return fit(argv[++i]);
    } else if (argument.find('/') != std::string::npos) {
      data = argument;
    } else {
      sets.push_back(argument);
    }
  }
  if (sets.empty()) sets = {"ehrsql", "atis_query", "atis_question", "advising_query", "advising_question"};
  int result = 0;
  for (const auto& each : sets) result = std::max(result, measure(data, each, limit, held_out));
  return result;
}
