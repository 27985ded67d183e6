// Resolving names, on the training queries of Spider, parsed before; the time is for one query.

#include <benchmark/benchmark.h>

#include <map>
#include <vector>

#include "bench/spider_queries.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "sql/schema_use.hpp"

namespace {

using namespace trustsql;

struct ParsedQuery {
  ast::Query tree;
  const Catalog* catalog;
};

// Those that resolve.
const std::vector<ParsedQuery>& parsed_queries() {
  static std::map<sqlite3*, Catalog> catalogs;
  static const auto all = [] {
    std::vector<ParsedQuery> queries;
    for (const auto& query : bench::spider_queries()) {
      if (catalogs.count(query.db) == 0) catalogs[query.db] = *read_catalog(query.db);
      auto parsed = parse_query(query.sql);
      if (parsed.ok() && resolve(*parsed, catalogs[query.db]).ok())
        queries.push_back({std::move(*parsed), &catalogs[query.db]});
    }
    return queries;
  }();
  return all;
}

void resolve_names(benchmark::State& state) {
  bench::each_query(state, parsed_queries(),
                    [](const ParsedQuery& query) { benchmark::DoNotOptimize(resolve(query.tree, *query.catalog)); });
}
BENCHMARK(resolve_names)->MinTime(2);

void resolve_and_list_columns(benchmark::State& state) {
  bench::each_query(state, parsed_queries(), [](const ParsedQuery& query) {
    benchmark::DoNotOptimize(schema_uses(*resolve(query.tree, *query.catalog)));
  });
}
BENCHMARK(resolve_and_list_columns)->MinTime(2);

}  // namespace
