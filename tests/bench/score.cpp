// What scoring needs: EX of every line under one semantics. Prints the seconds of the best of several rounds, each of
// which begins with an empty cache, and how many predictions are right.
//
//   score LINES ROUNDS SEMANTICS(bag|spider-keep|spider-drop|strict) THREADS CACHE_BYTES

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/sources/host_database.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "lines.h"
#include "score/execution/batch.hpp"

namespace {

using namespace trustsql;

ExecOptions options_named(const std::string& name) {
  ExecOptions options;
  if (name == "strict") options.semantics = ExecSemantics::strict;
  if (name.starts_with("spider")) options.semantics = ExecSemantics::spider;
  if (name == "spider-keep") options.distinct = SpiderDistinct::keep;
  return options;
}

template <class T>
T value_or_exit(Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: score LINES ROUNDS SEMANTICS THREADS CACHE_BYTES\n");
    return 1;
  }
  const Lines lines = read_lines(argv[1]);
  sqlite3* host = nullptr;
  sqlite3_open(":memory:", &host);
  Times best = {1e30, 1e30};
  long right = 0;
  {
    HostDatabase database(host);
    const Settings settings =
        value_or_exit(Settings::create([](std::string_view) { return std::optional<std::string>(); }));
    BatchOptions options;
    options.exec = options_named(argv[3]);
    options.threads = static_cast<std::size_t>(std::atoi(argv[4]));
    for (int round = std::atoi(argv[2]); round >= 0; --round) {  // one more: the first warms up
      ExecutionCache cache(std::atoll(argv[5]));
      const Times start = times_now();
      std::vector<BatchItem> items;
      for (std::size_t i = 0; i < lines.count; ++i) {
        const Line& line = lines.items[i];
        items.push_back({line.gold, line.prediction, value_or_exit(database.open_file(line.database, settings))});
      }
      const auto scores = value_or_exit(score_batch(items, options, cache, [] { return false; }));
      keep_best(&best, start);
      right = std::count_if(scores.begin(), scores.end(),
                            [](const ItemScore& score) { return score.reliability_case == ReliabilityCase::I; });
    }
  }
  sqlite3_close(host);
  std::printf("{\"lines\": %zu, \"right\": %ld, \"seconds\": %.6f, \"cpu\": %.6f}\n", lines.count, right, best.wall,
              best.cpu);
  return 0;
}
