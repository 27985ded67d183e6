// Resolving names, on the training queries of Spider, parsed before; the time is for one query.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "sql/schema_use.hpp"

namespace {

namespace fs = std::filesystem;
using namespace trustsql;

struct Query {
  ast::Query tree;
  const Catalog* catalog;
};

fs::path data_folder() {
  const char* set = std::getenv("TRUSTSQL_DATA");
  return set != nullptr ? fs::path(set) : fs::path(TRUSTSQL_SOURCE_DIR) / ".." / "shared" / "data";
}

// Those that resolve.
const std::vector<Query>& queries() {
  static std::map<std::string, Catalog> catalogs;
  static const auto all = [] {
    std::vector<Query> found;
    std::ifstream in(data_folder() / "spider" / "train.jsonl");
    for (std::string line; std::getline(in, line);) {
      const auto row = nlohmann::json::parse(line);
      const auto id = row.at("db_id").get<std::string>();
      const auto file = data_folder() / "spider" / "databases" / (id + ".sqlite");
      if (!fs::exists(file)) continue;
      if (catalogs.count(id) == 0) {
        sqlite3* db = nullptr;
        sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
        auto catalog = read_catalog(db);
        if (catalog.ok()) catalogs[id] = std::move(*catalog);
        sqlite3_close(db);
      }
      auto parsed = parse_query(row.at("gold").get<std::string>());
      if (parsed.ok() && resolve(*parsed, catalogs[id]).ok()) found.push_back({std::move(*parsed), &catalogs[id]});
    }
    return found;
  }();
  return all;
}

template <class Run>
void each_query(benchmark::State& state, Run&& run) {
  if (queries().empty()) return state.SkipWithError("no development data");
  std::size_t i = 0;
  for (auto _ : state) {
    run(queries()[i]);
    i = (i + 1) % queries().size();
  }
}

void resolve_names(benchmark::State& state) {
  each_query(state, [](const Query& query) { benchmark::DoNotOptimize(resolve(query.tree, *query.catalog)); });
}
BENCHMARK(resolve_names)->MinTime(2);

void resolve_and_list_columns(benchmark::State& state) {
  each_query(state, [](const Query& query) { benchmark::DoNotOptimize(schema_uses(*resolve(query.tree, *query.catalog))); });
}
BENCHMARK(resolve_and_list_columns)->MinTime(2);

}  // namespace
