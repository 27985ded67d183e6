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
  auto test = read("valid.jsonl");
  std::vector<std::size_t> kept;
  const bool dev = std::getenv("DEV") != nullptr;
  if (dev) test.clear();
  for (std::size_t i = 0; i < train.size(); ++i) {
    bool out = false;
    if (dev) {
      const auto parts = train[i].sql ? take_apart(train[i].question, *train[i].sql, {}) : std::nullopt;
      std::string masked;
      if (parts) for (const auto& it : parts->pattern) masked += it.slot >= 0 ? "#" : it.word + " ";
      else masked = train[i].question;
      const auto k = trustsql::hash_bytes(parts ? parts->query.key : masked, 1) % 100;
      out = k < 5 || trustsql::hash_bytes(masked, 2) % 100 < 14;
    }
    if (out) test.push_back(train[i]);
    else kept.push_back(i);
  }
  std::printf("test %zu\n", test.size());
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
  int unb = 0, nocand = 0, val = 0, rank = 0, ok = 0, okinf = 0;
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
    {
      const auto parts = take_apart(e.question, *e.sql, {});
      const int v = parts ? bank.find_variant(parts->query.key) : -1;
      bool cand = false;
      for (const auto& c : cands) cand = cand || (parts && !c.infeasible() && c.query(bank).key == parts->query.key);
      
      if (right) ++ok;
      else if (any && cands[best].infeasible()) ++okinf;
      else if (any) ++rank;
      else if (cand) ++val;
      else if (v == -1) ++unb;
      else ++nocand;
      if (argv[3] && argv[4] && ((argv[4][0] == 'v' && !any && cand) || (argv[4][0] == 'n' && !any && !cand && v != -1) || (argv[4][0]=='r' && any && !right)) && shown++ < std::atoi(argv[3])) {
        std::printf("Q %s\nG %s\n", e.question.c_str(), gold.c_str());
        std::size_t b = best;
        if (argv[4][0] == 'v') for (std::size_t i = 0; i < cands.size(); ++i) if (!cands[i].infeasible() && cands[i].query(bank).key == parts->query.key) b = i;
        if (!cands.empty()) std::printf("B %s  (%.2f)\n", token_text(cands[b].sql).c_str(), p[b]);
      }
    }
    seen_right += right && cands[best].rule == -1;
    if (argv[3] && !argv[4] && !any && shown++ < std::atoi(argv[3])) {
      std::printf("Q %s\nG %s\n", e.question.c_str(), gold.c_str());
      if (!cands.empty()) std::printf("B %s  (%.2f)\n", token_text(cands[best].sql).c_str(), p[best]);
    }
  }
  std::printf("ok %d ranked lower %d (infeasible first %d) value differs %d not in bank %d not candidate %d\n", ok, rank, okinf, val, unb, nocand);
  std::printf("n %zu oracle %.3f top %.3f (cheapest %.3f, not derived %.3f); infeasible first %zu of %zu; %.2f ms each\n", n,
              double(oracle) / n, double(top) / n, double(cheapest) / n, double(seen_right) / n, inf, infn,
              1000 * secs(t) / test.size());
}
