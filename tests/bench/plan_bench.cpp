// From text to a normalised plan, on the training queries of Spider: each query is timed separately, the counters are
// the median and the 90th percentile in microseconds, over all queries.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "bench/spider_queries.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "plan/builder.hpp"
#include "plan/normaliser.hpp"
#include "sql/parser.hpp"

namespace {

using namespace trustsql;

const Catalog& catalog_of(sqlite3* db) {
  static std::map<sqlite3*, Catalog> catalogs;
  const auto entry = catalogs.find(db);
  return entry != catalogs.end() ? entry->second : catalogs.emplace(db, *read_catalog(db)).first->second;
}

// How far a query is taken.
enum class Until { parsed, resolved, planned, normalised };

void take(const bench::SpiderQuery& query, const Catalog& catalog, Until until) {
  const auto parsed = parse_query(query.sql);
  if (!parsed.ok() || until == Until::parsed) return benchmark::DoNotOptimize(parsed);
  const auto resolution = resolve(*parsed, catalog);
  if (!resolution.ok() || until == Until::resolved) return benchmark::DoNotOptimize(resolution);
  auto plan = plan::build_plan(*resolution);
  if (!plan.ok() || until == Until::planned) return benchmark::DoNotOptimize(plan);
  const auto normalised = plan::normalise(*std::move(plan));
  benchmark::DoNotOptimize(&normalised);
}

void to_plan(benchmark::State& state, Until until) {
  const auto& queries = bench::spider_queries();
  if (queries.empty()) return state.SkipWithError("no development data");
  for (const auto& query : queries) catalog_of(query.db);
  std::vector<double> times;
  for (auto _ : state) {
    for (const auto& query : queries) {
      const auto& catalog = catalog_of(query.db);
      const auto begin = std::chrono::steady_clock::now();
      take(query, catalog, until);
      times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
  }
  std::sort(times.begin(), times.end());
  state.counters["median_us"] = times[times.size() / 2];
  state.counters["p90_us"] = times[times.size() * 9 / 10];
  state.counters["queries"] = static_cast<double>(queries.size());
}

BENCHMARK_CAPTURE(to_plan, parse, Until::parsed)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(to_plan, resolve, Until::resolved)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(to_plan, build, Until::planned)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(to_plan, normalise, Until::normalised)->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
