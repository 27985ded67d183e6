// The trained modules CLS_M and ERROR_M, and the parser that is adapted with them: what training on a user's questions
// brings.
//
//   trustsql_bench_modules [DATA]
//
// DATA is the development data, by default $TRUSTSQL_DATA or ../shared/data. Spider's validation databases, which the
// shipped model has not seen, are dealt into three parts; each is asked with a model that was adapted to the questions
// of the other two (semparse/training/adapting.hpp). With each question goes an infeasible one: the same question of
// another database, or one with another column in the place of one of its own (semparse/training/infeasible.hpp). Then
// all are asked with a model that was adapted to synthetic questions alone (semparse/synthesis/synthesis.hpp). Then the
// same with the published predictions of other systems in the place of the parser's answers, on feasible questions
// alone.
#include <sqlite3.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "semparse/synthesis/synthesis.hpp"
#include "semparse/training/adapting.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/training/judging.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "spider_databases.hpp"
#include "sql/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;
using trustsql_bench::Databases;

constexpr std::size_t parts = 3;
constexpr double strict = 10.0 / 11;
constexpr double even = 0.5;

struct Asked {
  UserQuestion user{};
  std::string kind{};
};

// Answers of one system to the questions of all parts.
class Tally {
 public:
  void count(const std::string& kind, bool answered, bool right) {
    auto& row = rows_[kind];
    row[0] += 1;
    row[1] += answered ? 1 : 0;
    row[2] += answered && right ? 1 : 0;
  }

  static void print_head(const Tally& any) {
    std::printf("| method | answered | right of these |");
    for (const auto& [kind, row] : any.rows_)
      if (kind != "feasible") std::printf(" %s (%.0f) |", kind.c_str(), row[0]);
    std::printf(" RS(0) | RS(10) |\n");
  }
  void print(const std::string& name) const {
    const auto& own = rows_.at("feasible");
    std::printf("| %s | %.1f%% | %.1f%% |", name.c_str(), 100 * own[1] / own[0],
                own[1] == 0 ? 100.0 : 100 * own[2] / own[1]);
    double all = 0;
    double good = own[2];
    double bad = own[1] - own[2];
    for (const auto& [kind, row] : rows_) {
      all += row[0];
      if (kind == "feasible") continue;
      std::printf(" %.1f%% |", 100 * row[1] / row[0]);
      good += row[0] - row[1];
      bad += row[1];
    }
    std::printf(" %.1f | %.1f |\n", 100 * good / all, 100 * (good - 10 * bad) / all);
  }

 private:
  std::map<std::string, std::array<double, 3>> rows_{};  // questions, answered, right
};

class Bench {
 public:
  explicit Bench(Databases& databases) : databases_(databases) {
    const auto questions = databases.read("validation.jsonl");
    for (const auto& source : databases.list) {
      sandboxes_.push_back(*source->lease());
      knowledge_.push_back(*Knowledge::build(**source->catalog(), *sandboxes_.back()));
    }
    for (const auto& item : questions) asked_.push_back({{item.database, item.question, item.sql, {}}, "feasible"});
    add_infeasible(questions);
  }

  std::size_t size() const { return asked_.size(); }

  // Asks each part of what was adapted to the others.
  int measure_parser() {
    std::map<std::string, Tally> tallies;
    for (std::size_t part = 0; part < parts; ++part) {
      auto adaptation = adapt_without(part);
      if (!adaptation.ok()) return fail(adaptation.error());
      ask(std::move(adaptation->model), part, tallies);
    }
    print_all(tallies);
    return 0;
  }

  // Asks everything of what was adapted to synthetic questions about the same databases.
  int measure_synthetic(std::size_t count) {
    std::vector<UserQuestion> questions;
    for (std::size_t i = 0; i < databases_.list.size(); ++i) {
      const auto made = synthesize(*knowledge_[i], *sandboxes_[i], {.count = count});
      if (!made.ok()) return fail(made.error());
      for (const auto& each : *made) questions.push_back({i, each.question, each.sql, {}});
    }
    auto adaptation = adapt(questions);
    if (!adaptation.ok()) return fail(adaptation.error());
    std::map<std::string, Tally> tallies;
    ask(std::move(adaptation->model), std::nullopt, tallies);
    std::printf("\nadapted to %zu synthetic questions\n", questions.size());
    print_all(tallies);
    return 0;
  }
  // The predictions of a system, in the order of the validation questions.
  int measure_system(const std::string& system) {
    std::ifstream file(databases_.folder + "/predictions/" + system + ".jsonl");
    std::vector<std::string> predictions;
    for (std::string line; std::getline(file, line);) predictions.push_back(nlohmann::json::parse(line)["pred"]);
    std::size_t at = 0;
    for (auto& item : asked_) {
      if (item.kind != "feasible") continue;
      if (at == predictions.size()) return 1;
      item.user.written = predictions[at++];
    }
    std::map<std::string, Tally> tallies;
    for (std::size_t part = 0; part < parts; ++part) {
      const auto adaptation = adapt_without(part);
      if (!adaptation.ok()) return fail(adaptation.error());
      const auto& model = adaptation->model;
      const Parser parser(std::make_shared<const ParserModel>(model));
      for (const auto& item : asked_) {
        if (item.user.database % parts != part || item.kind != "feasible") continue;
        const auto parse = parser.parse(item.user.question, *knowledge_[item.user.database], sandbox_of(item));
        if (!parse.ok()) continue;
        const bool right = returns_the_same(sandbox_of(item), *item.user.sql, *item.user.written);
        const double answerable =
            model.classifier->probability(read_question(item.user.question), parse->question_inputs);
        const double correct = detect(model, item, *item.user.written, *parse);
        tallies[system].count(item.kind, true, right);
        tallies[system + "->ERROR_M, 0.5"].count(item.kind, correct >= even, right);
        tallies[system + "->ERROR_M, 10/11"].count(item.kind, correct >= strict, right);
        tallies["CLS_M->" + system + "->ERROR_M, 10/11"].count(item.kind, answerable >= even && correct >= strict,
                                                               right);
      }
    }
    for (const auto& [name, tally] : tallies) tally.print(name);
    return 0;
  }

 private:
  // Asks the questions of one part, or all.
  void ask(ParserModel adapted, std::optional<std::size_t> part, std::map<std::string, Tally>& tallies) {
    const Parser before(shipped_model());
    const auto model = std::make_shared<const ParserModel>(std::move(adapted));
    const Parser after(model);
    for (const auto& item : asked_) {
      if (part && item.user.database % parts != *part) continue;
      const auto first = before.parse(item.user.question, *knowledge_[item.user.database], sandbox_of(item));
      const auto parse = after.parse(item.user.question, *knowledge_[item.user.database], sandbox_of(item));
      if (!first.ok() || !parse.ok()) continue;
      const bool was_right = is_right(item, *first);
      const bool right = is_right(item, *parse);
      const double answerable =
          model->classifier->probability(read_question(item.user.question), parse->question_inputs);
      const double correct = parse->readings.empty() ? 0 : detect(*model, item, parse->readings.front().sql, *parse);
      const auto count = [&](const char* name, bool answered, bool is_right) {
        tallies[name].count(item.kind, answered, is_right);
      };
      count("1 EMBEDDED, as it is shipped", first->confidence >= strict, was_right);
      count("2 EMBEDDED, adapted", parse->confidence >= strict, right);
      count("3 CLS_M->EMBEDDED, adapted", answerable >= even && parse->confidence >= strict, right);
      count("4 EMBEDDED->ERROR_M", correct >= strict, right);
      count("5 CLS_M->EMBEDDED->ERROR_M", answerable >= even && correct >= strict, right);
      count("6 CLS_M alone", answerable >= even, true);
    }
  }

  static void print_all(const std::map<std::string, Tally>& tallies) {
    Tally::print_head(tallies.begin()->second);
    for (const auto& [name, tally] : tallies) tally.print(name.substr(2));
    std::fflush(stdout);
  }

  static int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }

  Sandbox& sandbox_of(const Asked& item) { return *sandboxes_[item.user.database]; }

  bool is_right(const Asked& item, const Parse& parse) {
    return item.user.sql && !parse.readings.empty() &&
           returns_the_same(sandbox_of(item), *item.user.sql, parse.readings.front().sql);
  }

  double detect(const ParserModel& model, const Asked& item, const std::string& sql, const Parse& parse) {
    const auto catalog = *databases_.list[item.user.database]->catalog();
    const auto inputs = detector_inputs(item.user.question, sql, parse, *knowledge_[item.user.database], *catalog,
                                        sandbox_of(item), {});
    return inputs.ok() ? model.detector->probability(*inputs, parse) : 0;
  }

  Result<Adaptation> adapt_without(std::size_t part) {
    std::vector<UserQuestion> questions;
    for (const auto& item : asked_)
      if (item.user.database % parts != part) questions.push_back(item.user);
    return adapt(questions);
  }

  Result<Adaptation> adapt(const std::vector<UserQuestion>& questions) {
    AdaptingOptions options;
    options.threads = 2;
    const auto begun = std::chrono::steady_clock::now();
    auto adaptation = adapt_model(shipped_model(), databases_.list, questions, options);
    if (adaptation.ok())
      std::fprintf(stderr, "%zu and %zu questions in %.1f s; adapted: choice %d, confidence %d\n", adaptation->feasible,
                   adaptation->infeasible,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
                   adaptation->adapted_choice, adaptation->adapted_confidence);
    return adaptation;
  }

  void add_infeasible(const std::vector<LabelledQuestion>& questions) {
    Random random(17);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const auto& item = questions[i];
      // Of the same part, so that a part that is asked shares no question with those of training.
      auto other = item.database + parts;
      if (other >= databases_.list.size()) other = item.database % parts;
      const auto& domain = knowledge_[item.database]->domain;
      const auto query = parse_query(item.sql);
      const auto tree = query.ok() ? tree_of(domain, *query) : std::nullopt;
      QuestionLinker linker(domain, knowledge_[item.database]->values);
      std::optional<std::string> text;
      if (tree && i % 3 == 0) text = surface_question(domain, linker, item.question, *tree, random);
      if (text) {
        asked_.push_back({{item.database, *text, std::nullopt, {}}, "surface"});
        continue;
      }
      if (tree && i % 3 != 2)
        text = unrelated_question(domain, linker, knowledge_[other]->domain, item.question, *tree, random);
      if (text)
        asked_.push_back({{item.database, *text, std::nullopt, {}}, "unrelated"});
      else if (other != item.database)
        asked_.push_back({{other, item.question, std::nullopt, {}}, "other database"});
    }
  }

  Databases& databases_;
  std::vector<SandboxLease> sandboxes_{};
  std::vector<std::shared_ptr<const Knowledge>> knowledge_{};
  std::vector<Asked> asked_{};
};

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  Databases databases(argc > 1 ? argv[1] : set != nullptr ? set : TRUSTSQL_SOURCE_DIR "/../shared/data");
  Bench bench(databases);
  if (bench.size() == 0) {
    std::fprintf(stderr, "no development data in %s\n", databases.folder.c_str());
    return 1;
  }
  int result = std::max(bench.measure_parser(), bench.measure_synthetic(60));
  for (const auto* system : {"dail_sql_gpt4", "din_sql_codex", "gpt4_zero_shot", "testsuite_9"})
    result = std::max(result, bench.measure_system(system));
  return result;
}
