// Time of verdicts on pairs of queries, by verdict: as sql_equivalent asks for them and as sql_compare does.
//
//   equivalence PAIRS(.jsonl) DATA [none|constraints|types]
//
// PAIRS: as in the development data; DATA: its folder. Schemas have been seen before, pairs have not: each is timed
// once for each question. Prints the numbers and, in milliseconds, median, 95th percentile, largest and sum.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/pair_files.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "equiv/verdict.hpp"

namespace {

using namespace trustsql;
using namespace trustsql_bench;
namespace fs = std::filesystem;

class Comparers {
 public:
  Comparers(sqlite3* host, fs::path data) : schemas_(host, std::move(data)) {}

  equiv::QueryComparer& of(const nlohmann::json& pair) {
    auto& comparer = comparers_[PairSchemas::name(pair)];
    if (!comparer) {
      const auto source = schemas_.open(pair);
      comparer = value_or_exit(equiv::QueryComparer::create(*source, SandboxLimits::from(schemas_.settings())));
    }
    return *comparer;
  }

 private:
  PairSchemas schemas_;
  std::map<std::string, std::unique_ptr<equiv::QueryComparer>> comparers_;
};

void print(const char* question, const std::string& verdict, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (const double time : times) sum += time;
  const auto quantile = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::printf("%-15s %-8s %5zu  median %8.3f  p95 %8.3f  largest %8.3f  sum %8.1f\n", question, verdict.c_str(),
              times.size(), quantile(0.5), quantile(0.95), times.back(), sum);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: equivalence PAIRS DATA [none|constraints|types]\n");
    return 2;
  }
  sqlite3* host = nullptr;
  if (sqlite3_open(":memory:", &host) != SQLITE_OK) return 1;
  const std::string assume = argc > 3 ? argv[3] : "none";
  {
    Comparers comparers(host, argv[2]);
    const auto pairs = read_json_lines(argv[1]);
    for (const auto& pair : pairs) comparers.of(pair);
    for (const bool whole : {false, true}) {
      equiv::ComparisonOptions options;
      options.assume = assume == "types"         ? plan::Assume::everything()
                       : assume == "constraints" ? plan::Assume()
                                                 : plan::Assume::nothing();
      options.best_grade = options.counterexample = whole;
      std::map<std::string, std::vector<double>> times;
      for (const auto& pair : pairs) {
        const std::string a = pair.at("a");
        const std::string b = pair.at("b");
        auto& comparer = comparers.of(pair);
        const auto begun = std::chrono::steady_clock::now();
        const auto comparison = value_or_exit(comparer.compare(a, b, options, {}));
        times[std::string(name(comparison.verdict))].push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
      }
      for (const auto& [verdict, own] : times) print(whole ? "sql_compare" : "sql_equivalent", verdict, own);
    }
  }
  sqlite3_close(host);
}
