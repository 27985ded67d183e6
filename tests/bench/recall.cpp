// Recall of schema retrieval on the union of BIRD's development databases, as in CRUSH4SQL's Table 2, with the embedded
// embedding.
//
//   trustsql_bench_recall [DATA]        DATA: the development data, by default $TRUSTSQL_DATA or ../shared/data
//
// r@B is the mean over questions of the share of gold columns among the first B. The constants of src/link were chosen
// on the questions of three of the six databases ("chosen on") and not on those of the other three ("others").
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "link/lexical_embedder.hpp"
#include "link/linker.hpp"
#include "link/question_schema.hpp"

namespace {

using namespace trustsql::link;

constexpr std::array<std::size_t, 7> budgets = {3, 5, 10, 20, 30, 50, 100};

struct Question {
  std::string text;
  bool chosen_on = false;
  std::vector<std::string> gold;
  std::vector<std::string> hallucinated;
};

struct Configuration {
  std::string name;
  LinkOptions options;
  bool recorded = true;  // the recorded hallucinated schemas, else schema_of_question()
};

std::vector<Question> read_questions(const std::string& path) {
  std::vector<Question> questions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    const std::string database = json["db_id"];
    const bool chosen_on = database == "california_schools" || database == "formula_1" || database == "superhero";
    questions.push_back({json["question"], chosen_on, json["gold_elements"], json["hallucinated"]});
  }
  return questions;
}

// Lines "db.table.column"; a column may have dots.
ElementSet read_elements(const std::string& path, std::map<std::string, std::size_t>& numbers) {
  ElementSet elements;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find('.');
    const auto second = line.find('.', first + 1);
    if (second == std::string::npos || numbers.count(line) != 0) continue;
    numbers[line] =
        elements.add({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  elements.infer_links();
  return elements;
}

std::vector<Configuration> configurations() {
  const LinkOptions base{.budget = budgets.back()};
  const auto changed = [&base](auto change) {
    LinkOptions options = base;
    change(options);
    return options;
  };
  return {
      {"Single DPR", changed([](LinkOptions& o) { o.method = LinkMethod::dpr; })},
      {"token level (maxsim)", changed([](LinkOptions& o) { o.method = LinkMethod::maxsim; })},
      {"cosine: C(x) itself", changed([](LinkOptions& o) { o.method = LinkMethod::cosine; })},
      {"CRUSH", base},
      {"- x-contextual embedding", changed([](LinkOptions& o) { o.context = false; })},
      {"- entropy", changed([](LinkOptions& o) { o.entropy = false; })},
      {"- edge scores", changed([](LinkOptions& o) { o.edges = false; })},
      {"- coverage", changed([](LinkOptions& o) { o.coverage = false; })},
      {"- evidence (ours)", changed([](LinkOptions& o) { o.evidence = false; })},
      {"sharpness 1", changed([](LinkOptions& o) { o.sharpness = 1; })},
      {"- evidence, sharpness 1: as in the paper", changed([](LinkOptions& o) {
         o.evidence = false;
         o.sharpness = 1;
       })},
      {"turns", changed([](LinkOptions& o) { o.take_turns = true; })},
      {"CRUSH without a model", without_model(base), false},
  };
}

void print_row(const std::string& name, const std::array<double, budgets.size()>& recall) {
  std::printf("| %-40s |", name.c_str());
  for (const double r : recall) std::printf(" %.3f |", r);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  const std::string folder = std::string(argc > 1         ? argv[1]
                                         : set != nullptr ? set
                                                          : TRUSTSQL_SOURCE_DIR "/../shared/data") +
                             "/crush";
  std::map<std::string, std::size_t> numbers;
  auto elements = read_elements(folder + "/bird_union.txt", numbers);
  const auto questions = read_questions(folder + "/questions.jsonl");
  if (questions.empty()) {
    std::fprintf(stderr, "no development data in %s\n", folder.c_str());
    return 1;
  }
  LexicalEmbedder embedder;
  const auto corpus = Corpus::build(std::move(elements), embedder, nullptr, {});
  const Linker linker(**corpus, embedder);
  const auto all = configurations();
  for (const auto& [part, wanted] : {std::pair("all", -1), std::pair("chosen on", 1), std::pair("others", 0)}) {
    std::size_t count = 0;
    for (const auto& question : questions) count += wanted < 0 || question.chosen_on == (wanted == 1) ? 1 : 0;
    std::printf("\n%s: %zu questions\n\n| %-40s |", part, count, "");
    for (const auto budget : budgets) std::printf(" r@%-3zu |", budget);
    std::printf("\n");
    if (wanted < 0) {
      print_row("paper: Single DPR (OpenAI), 1,534", {0.33, 0.43, 0.56, 0.66, 0.72, 0.80, 0.93});
      print_row("paper: CRUSH, 1,534", {0.39, 0.54, 0.71, 0.82, 0.88, 0.92, 0.97});
    }
    for (const auto& configuration : all) {
      std::array<double, budgets.size()> recall{};
      for (const auto& question : questions) {
        if (wanted >= 0 && question.chosen_on != (wanted == 1)) continue;
        const auto relations = configuration.recorded ? question.hallucinated : schema_of_question(question.text);
        const auto linked = linker.link(question.text, relations, configuration.options, {});
        for (std::size_t b = 0; b < budgets.size(); ++b) {
          std::size_t gold_found = 0;
          for (const auto& gold : question.gold) {
            const auto number = numbers.find(gold);
            for (std::size_t i = 0; number != numbers.end() && i < std::min(budgets[b], linked->size()); ++i)
              gold_found += (*linked)[i].element == number->second ? 1 : 0;
          }
          recall[b] +=
              static_cast<double>(gold_found) / static_cast<double>(question.gold.size()) / static_cast<double>(count);
        }
      }
      print_row(configuration.name, recall);
    }
  }
  return 0;
}
