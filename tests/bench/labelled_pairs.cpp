// Writes labelled pairs of queries, to train a similarity on.
//
//   labelled_pairs DATA OUT(.jsonl) [PAIRS_OF_QUERY [MOST [SEED]]]
//
// DATA: the development data. The pairs are made from the training queries of Spider (PAIRS_OF_QUERY from each, MOST in
// all), and the training queries' gold text against a model's answer (spider_train_unlabelled) is added where the
// prover or a counterexample decides. Databases of the validation pairs are left out. A line is
//
//   {"db_id", "a", "b", "label", "kind", "confirmed", "deviations", "question"}
//
// `deviations` is the grade of a counterexample as sql_compare gives it ("outright", "null", "column_order" ...):
// people call some of those the same (README.md, Verdicts against labels). `question` numbers the queries that pairs
// were made from, so that they can be kept together.

#include "equiv/labelled_pairs.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "bench/pair_files.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace {

using namespace trustsql;
using namespace trustsql_bench;
namespace fs = std::filesystem;

// What is asked about one database.
struct Work {
  std::vector<std::string> queries;                              // distinct
  std::vector<std::pair<std::string, std::string>> model_pairs;  // distinct
};

class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path) {}

  void write(const std::string& db_id, const equiv::LabelledPair& pair, std::size_t question) {
    const nlohmann::ordered_json line = {{"db_id", db_id},
                                         {"a", pair.a},
                                         {"b", pair.b},
                                         {"label", pair.same ? 1 : 0},
                                         {"kind", pair.kind},
                                         {"confirmed", name(pair.confirmation)},
                                         {"deviations", pair.same ? "" : pair.deviations.text()},
                                         {"question", question}};
    out_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    ++counts_[pair.same ? 1 : 0];
    ++confirmed_[std::string(name(pair.confirmation)) + (pair.same ? "" : " " + pair.deviations.text())];
  }

  std::size_t size() const { return counts_[0] + counts_[1]; }
  void print() const {
    std::printf("%zu pairs: %zu the same, %zu different\n", size(), counts_[1], counts_[0]);
    for (const auto& [how, number] : confirmed_) std::printf("  %6zu %s\n", number, how.c_str());
  }

 private:
  std::ofstream out_;
  std::size_t counts_[2] = {};
  std::map<std::string, std::size_t> confirmed_;
};

std::map<std::string, Work> read_work(const fs::path& data) {
  std::set<std::string> excluded;
  for (const auto& row : read_json_lines(data / "pairs/spider_pair_validation.jsonl")) excluded.insert(row.at("db_id"));
  std::map<std::string, Work> work;
  std::map<std::string, std::set<std::string>> seen;
  for (const char* name : {"train.jsonl", "train_gold_extra.jsonl"}) {
    for (const auto& row : read_json_lines(data / "spider" / name)) {
      const std::string db_id = row.at("db_id");
      const std::string gold = row.at("gold");
      if (!excluded.contains(db_id) && seen[db_id].insert(gold).second) work[db_id].queries.push_back(gold);
    }
  }
  for (const auto& row : read_json_lines(data / "pairs/spider_train_unlabelled.jsonl")) {
    const std::string db_id = row.at("db_id");
    const std::string a = row.at("a");
    const std::string b = row.at("b");
    if (!excluded.contains(db_id) && seen[db_id].insert(a + '\0' + b).second)
      work[db_id].model_pairs.emplace_back(a, b);
  }
  return work;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: labelled_pairs DATA OUT [PAIRS_OF_QUERY [MOST [SEED]]]\n");
    return 2;
  }
  const fs::path data = argv[1];
  equiv::LabelledPairsOptions options;
  if (argc > 3) options.pairs_of_query = std::strtoul(argv[3], nullptr, 10);
  const std::size_t most = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1'000'000;
  if (argc > 5) options.seed = std::strtoull(argv[5], nullptr, 10);
  sqlite3* host = nullptr;
  if (sqlite3_open(":memory:", &host) != SQLITE_OK) return 1;
  const auto begun = std::chrono::steady_clock::now();
  {
    PairSchemas schemas(host, data);
    Writer writer(argv[2]);
    std::size_t unknown = 0;
    std::size_t question = 0;
    for (const auto& [db_id, work] : read_work(data)) {
      if (writer.size() >= most) break;
      if (!fs::exists(data / "spider/databases" / (db_id + ".sqlite"))) continue;
      const auto source = schemas.open_database(db_id);
      const auto comparer =
          value_or_exit(equiv::QueryComparer::create(*source, SandboxLimits::from(schemas.settings())));
      value_or_exit(equiv::labelled_pairs(*comparer, work.queries, options, {}, [&](const equiv::LabelledPair& pair) {
        writer.write(db_id, pair, question + pair.query);
      }));
      question += work.queries.size();
      for (const auto& [a, b] : work.model_pairs) {
        const auto comparison = value_or_exit(comparer->compare(a, b, options.comparison, {}));
        if (comparison.verdict == equiv::Verdict::unknown) {
          ++unknown;
          continue;
        }
        equiv::LabelledPair pair{.a = a, .b = b, .same = comparison.verdict == equiv::Verdict::proved, .kind = "model"};
        pair.confirmation = equiv::confirmation_of(a, b, pair.same, *comparer->catalog(), {}, {});
        if (comparison.counterexample) pair.deviations = comparison.counterexample->deviations;
        writer.write(db_id, pair, question++);
      }
      std::fprintf(stderr, "%s %zu\n", db_id.c_str(), writer.size());
    }
    writer.print();
    std::printf("%zu answers of the model are neither proved nor refuted\n", unknown);
  }
  sqlite3_close(host);
  std::printf("%.1f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}
