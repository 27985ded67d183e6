// Parsing and printing against SQLite's own prepare, on the training queries of Spider; times are for one query.
// tests/bench/sqlglot_parse.py measures sqlglot on the same queries.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/sqlite_api.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace {

namespace fs = std::filesystem;
using namespace trustsql;

struct Query {
  std::string sql;
  sqlite3* db;  // of the query's database, opened for the whole run
};

fs::path data_folder() {
  const char* set = std::getenv("TRUSTSQL_DATA");
  return set != nullptr ? fs::path(set) : fs::path(TRUSTSQL_SOURCE_DIR) / ".." / "shared" / "data";
}

const std::vector<Query>& queries() {
  static const auto all = [] {
    std::vector<Query> found;
    std::map<std::string, sqlite3*> databases;
    std::ifstream in(data_folder() / "spider" / "train.jsonl");
    for (std::string line; std::getline(in, line);) {
      const auto row = nlohmann::json::parse(line);
      const auto id = row.at("db_id").get<std::string>();
      const auto file = data_folder() / "spider" / "databases" / (id + ".sqlite");
      if (!fs::exists(file)) continue;
      auto& db = databases[id];
      if (db == nullptr) sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
      found.push_back({row.at("gold").get<std::string>(), db});
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

void parse(benchmark::State& state) {
  each_query(state, [](const Query& query) { benchmark::DoNotOptimize(parse_query(query.sql)); });
}
BENCHMARK(parse)->MinTime(2);

void prepare(benchmark::State& state) {
  for (const auto& query : queries()) sqlite3_exec(query.db, "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);  // read the schema
  each_query(state, [](const Query& query) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(query.db, query.sql.data(), static_cast<int>(query.sql.size()), &statement, nullptr);
    sqlite3_finalize(statement);
  });
}
BENCHMARK(prepare)->MinTime(2);

void parse_and_print(benchmark::State& state) {
  each_query(state, [](const Query& query) {
    const auto parsed = parse_query(query.sql);
    if (parsed.ok()) benchmark::DoNotOptimize(print_query(*parsed));
  });
}
BENCHMARK(parse_and_print)->MinTime(2);

}  // namespace
