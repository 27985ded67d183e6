// Recall of schema retrieval on the union of BIRD's development databases, as in CRUSH4SQL's Table 2, with the embedded
// embedding.
//
//   trustsql_bench_recall [DATA]        DATA: the development data, by default $TRUSTSQL_DATA or ../shared/data
//
// r@B is the mean over questions of the share of gold columns among the first B. The constants of src/link were chosen
// on the questions of three of the six databases ("chosen on") and not on those of the other three ("others"). Tables
// are printed for two layouts of the union: databases beside each other, and one schema whose tables' names carry the
// database ("formula_1.races").
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/bird_union.hpp"
#include "link/lexical_embedder.hpp"
#include "link/linker.hpp"
#include "link/question_schema.hpp"

namespace {

using namespace trustsql::bench;
using namespace trustsql::link;

constexpr std::array<std::size_t, 7> budgets = {3, 5, 10, 20, 30, 50, 100};
using Recall = std::array<double, budgets.size()>;

struct Configuration {
  std::string name;
  LinkOptions options;
  bool recorded = true;  // the recorded hallucinated schemas, else schema_of_question()
};

// The methods and ablations of one form.
void add_form(std::vector<Configuration>& configurations, const std::string& prefix, LinkForm form) {
  auto base = default_link_options(form);
  base.budget = budgets.back();
  const auto add = [&](const std::string& name, auto change) {
    LinkOptions options = base;
    change(options);
    configurations.push_back({prefix + name, options});
  };
  add("Single DPR", [](LinkOptions& o) { o.method = LinkMethod::dpr; });
  add("cosine: C(x) itself", [](LinkOptions& o) { o.method = LinkMethod::cosine; });
  add("CRUSH", [](LinkOptions&) {});
  add("- x-contextual embedding", [](LinkOptions& o) { o.context = false; });
  add("- entropy", [](LinkOptions& o) { o.entropy = false; });
  add("- edge scores", [](LinkOptions& o) { o.edges = false; });
  add("- coverage", [](LinkOptions& o) { o.coverage = false; });
  add("turns", [](LinkOptions& o) { o.take_turns = true; });
  if (form == LinkForm::paper) {
    add("sharpness 30", [](LinkOptions& o) { o.sharpness = 30; });
  } else {
    add("- evidence", [](LinkOptions& o) { o.evidence = false; });
    add("sharpness 1", [](LinkOptions& o) { o.sharpness = 1; });
  }
}

std::vector<Configuration> all_configurations() {
  std::vector<Configuration> configurations;
  configurations.push_back({"token level (maxsim)", {.method = LinkMethod::maxsim, .budget = budgets.back()}});
  add_form(configurations, "paper's form: ", LinkForm::paper);
  add_form(configurations, "extended: ", LinkForm::extended);
  configurations.push_back({"extended: without a model", without_model({.budget = budgets.back()}), false});
  return configurations;
}

void print_row(const std::string& name, const Recall& recall) {
  std::printf("| %-40s |", name.c_str());
  for (const double r : recall) std::printf(" %.3f |", r);
  std::printf("\n");
}

// r@B of one question.
Recall recall_of(const BirdQuestion& question, const std::vector<LinkedElement>& linked) {
  Recall recall{};
  for (const auto gold : question.gold) {
    for (std::size_t i = 0; gold && i < linked.size(); ++i) {
      if (linked[i].element != *gold) continue;
      for (std::size_t b = 0; b < budgets.size(); ++b)
        if (i < budgets[b]) recall[b] += 1.0 / static_cast<double>(question.gold.size());
    }
  }
  return recall;
}

void print_layout(BirdUnion data) {
  LexicalEmbedder embedder;
  const auto corpus = Corpus::build(std::move(data.elements), embedder, nullptr, {});
  const Linker linker(**corpus, embedder);
  // Of each configuration: all questions, those that constants were chosen on, the others.
  struct Sums {
    std::array<Recall, 3> recall{};
  };
  const auto configurations = all_configurations();
  std::vector<Sums> sums(configurations.size());
  std::array<std::size_t, 3> counts{};
  for (const auto& question : data.questions) {
    const std::array<std::size_t, 2> parts = {0, question.chosen_on ? 1U : 2U};
    for (const auto part : parts) ++counts[part];
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      const auto relations = configurations[c].recorded ? question.hallucinated : schema_of_question(question.text);
      const auto recall = recall_of(question, *linker.link(question.text, relations, configurations[c].options, {}));
      for (const auto part : parts)
        for (std::size_t b = 0; b < budgets.size(); ++b) sums[c].recall[part][b] += recall[b];
    }
  }
  constexpr std::array<const char*, 3> names = {"all", "chosen on", "others"};
  for (std::size_t part = 0; part < names.size(); ++part) {
    std::printf("\n%s: %zu questions\n\n| %-40s |", names[part], counts[part], "");
    for (const auto budget : budgets) std::printf(" r@%-3zu |", budget);
    std::printf("\n");
    if (part == 0) {
      print_row("paper: Single DPR (OpenAI), 1,534", {0.33, 0.43, 0.56, 0.66, 0.72, 0.80, 0.93});
      print_row("paper: CRUSH, 1,534", {0.39, 0.54, 0.71, 0.82, 0.88, 0.92, 0.97});
    }
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      Recall mean = sums[c].recall[part];
      for (double& r : mean) r /= static_cast<double>(counts[part]);
      print_row(configurations[c].name, mean);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = bird_union_folder(argc > 1 ? argv[1] : nullptr);
  for (const auto& [layout, title] : {std::pair(Layout::databases, "databases beside each other"),
                                      std::pair(Layout::qualified_names, "tables named database.table")}) {
    auto data = read_bird_union(folder, layout);
    if (data.questions.empty()) {
      std::fprintf(stderr, "no development data in %s\n", folder.c_str());
      return 1;
    }
    std::printf("\n# %s\n", title);
    print_layout(std::move(data));
  }
  return 0;
}
