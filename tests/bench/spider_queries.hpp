// The training queries of Spider, each with its database, for benchmarks.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql::bench {

struct SpiderQuery {
  std::string sql;
  sqlite3* db;  // of the query's database, opened for the whole run
};

// Empty without development data.
inline const std::vector<SpiderQuery>& spider_queries() {
  namespace fs = std::filesystem;
  static const auto all = [] {
    const char* set = std::getenv("TRUSTSQL_DATA");
    const auto folder =
        (set != nullptr ? fs::path(set) : fs::path(TRUSTSQL_SOURCE_DIR) / ".." / "shared" / "data") / "spider";
    std::vector<SpiderQuery> queries;
    std::map<std::string, sqlite3*> databases;
    std::ifstream in(folder / "train.jsonl");
    for (std::string line; std::getline(in, line);) {
      const auto row = nlohmann::json::parse(line);
      const auto id = row.at("db_id").get<std::string>();
      const auto file = folder / "databases" / (id + ".sqlite");
      if (!fs::exists(file)) continue;
      auto& db = databases[id];
      if (db == nullptr) sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
      queries.push_back({row.at("gold").get<std::string>(), db});
    }
    return queries;
  }();
  return all;
}

// Runs `run` on one of `queries` after the other, over and over.
template <class Query, class Run>
void each_query(benchmark::State& state, const std::vector<Query>& queries, Run&& run) {
  if (queries.empty()) return state.SkipWithError("no development data");
  std::size_t i = 0;
  for (auto _ : state) {
    run(queries[i]);
    i = (i + 1) % queries.size();
  }
}

}  // namespace trustsql::bench
