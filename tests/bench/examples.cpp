#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semparse/examples/template_ranking.hpp"

using namespace trustsql::semparse;

int main(int, char** argv) {
  const std::string folder = argv[1];
  const auto read = [&](const std::string& name) {
    std::vector<LearnedExample> list;
    std::ifstream file(folder + "/ehrsql/" + name);
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      LearnedExample e{json["question"]};
      if (!json["gold"].is_null()) e.sql = json["gold"].get<std::string>();
      list.push_back(e);
    }
    return list;
  };
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto secs = [&](auto t) { return std::chrono::duration<double>(now() - t).count(); };
  const auto train = read("train.jsonl");
  const auto test = read("valid.jsonl");
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < train.size(); ++i) kept.push_back(i);
  auto t = now();
  const auto bank = ExampleBank::build(train, kept);
  std::printf("bank %.2f s: patterns %zu variants %zu families %zu rules %zu columns %zu\n", secs(t), bank.patterns().size(),
              bank.variants().size(), bank.families().size(), bank.rules().size(), bank.columns().size());
  std::size_t der = 0;
  for (const auto& d : bank.derived()) der += d.size();
  std::printf("derived %zu\n", der);
  TemplateRanker ranker(bank);
  RankingOptions options;
  options.epochs = argv[2] ? std::atoi(argv[2]) : 1;
  t = now();
  ranker.learn([&](std::size_t i) { return std::string_view(train[i].question); },
               [&](std::size_t i) { return token_text(*train[i].sql); }, options, {});
  std::printf("learn %.2f s\n", secs(t));
  t = now();
  std::size_t n = 0, top = 0, oracle = 0, inf = 0, infn = 0, seen_right = 0, cheapest = 0;
  int shown = 0;
  for (const auto& e : test) {
    const QuestionForm form(e.question, bank, nullptr);
    const auto cands = find_template_candidates(form);
    const auto p = ranker.probabilities(form, cands);
    std::size_t best = 0;
    for (std::size_t i = 1; i < cands.size(); ++i)
      if (p[i] > p[best]) best = i;
    if (!e.sql) {
      ++infn;
      inf += !cands.empty() && cands[best].infeasible();
      continue;
    }
    ++n;
    const auto gold = token_text(*e.sql);
    bool any = false;
    for (const auto& c : cands) any = any || (!c.infeasible() && token_text(c.sql) == gold);
    oracle += any;
    const bool right = !cands.empty() && !cands[best].infeasible() && token_text(cands[best].sql) == gold;
    top += right;
    cheapest += !cands.empty() && !cands[0].infeasible() && token_text(cands[0].sql) == gold;
    seen_right += right && cands[best].rule == -1;
    if (argv[3] && !any && shown++ < std::atoi(argv[3])) {
      std::printf("Q %s\nG %s\n", e.question.c_str(), gold.c_str());
      if (!cands.empty()) std::printf("B %s  (%.2f)\n", token_text(cands[best].sql).c_str(), p[best]);
    }
  }
  std::printf("n %zu oracle %.3f top %.3f (cheapest %.3f, not derived %.3f); infeasible first %zu of %zu; %.2f ms each\n", n,
              double(oracle) / n, double(top) / n, double(cheapest) / n, double(seen_right) / n, inf, infn,
              1000 * secs(t) / test.size());
}
