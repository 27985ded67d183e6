// Parsing and printing against SQLite's own prepare, on the training queries of Spider; times are for one query.
// tests/bench/sqlglot_parse.py measures sqlglot on the same queries.

#include <benchmark/benchmark.h>

#include "bench/spider_queries.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace {

using namespace trustsql;
using Query = bench::SpiderQuery;

const std::vector<Query>& queries() { return bench::spider_queries(); }

void parse(benchmark::State& state) {
  bench::each_query(state, queries(), [](const Query& query) { benchmark::DoNotOptimize(parse_query(query.sql)); });
}
BENCHMARK(parse)->MinTime(2);

void prepare(benchmark::State& state) {
  for (const auto& query : queries())
    sqlite3_exec(query.db, "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);  // read the schema
  bench::each_query(state, queries(), [](const Query& query) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(query.db, query.sql.data(), static_cast<int>(query.sql.size()), &statement, nullptr);
    sqlite3_finalize(statement);
  });
}
BENCHMARK(prepare)->MinTime(2);

void parse_and_print(benchmark::State& state) {
  bench::each_query(state, queries(), [](const Query& query) {
    const auto parsed = parse_query(query.sql);
    if (parsed.ok()) benchmark::DoNotOptimize(print_query(*parsed));
  });
}
BENCHMARK(parse_and_print)->MinTime(2);

}  // namespace
