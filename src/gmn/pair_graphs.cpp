#include "gmn/pair_graphs.hpp"

#include <utility>

namespace trustsql::gmn {

Result<std::size_t> PairGraphs::graph_of(std::string_view sql, std::size_t schema, const Catalog& catalog,
                                         const ResolveOptions& dialect, const std::function<bool()>& stop) {
  auto key = std::to_string(schema) + " " + std::string(sql);
  if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
  TRUSTSQL_ASSIGN_OR_RETURN(auto graph, query_graph(sql, catalog, dialect, representation_, stop));
  graphs_.graphs.push_back(std::move(graph));
  numbers_.emplace(std::move(key), graphs_.graphs.size() - 1);
  return graphs_.graphs.size() - 1;
}

std::size_t PairGraphs::variant_of(std::size_t graph, std::string_view sql, const Catalog& catalog,
                                   const ResolveOptions& dialect, const std::function<bool()>& stop) {
  auto variant = variant_graph(sql, catalog, dialect, random_, stop);
  if (!variant.ok()) return graph;
  graphs_.graphs.push_back(*std::move(variant));
  return graphs_.graphs.size() - 1;
}

Status PairGraphs::add(std::string_view a, std::string_view b, bool same, std::size_t group, std::size_t schema,
                       const Catalog& catalog, const ResolveOptions& dialect, const std::function<bool()>& stop) {
  auto first = graph_of(a, schema, catalog, dialect, stop);
  if (!first.ok()) return std::move(first).error().with_prefix("a");
  auto second = graph_of(b, schema, catalog, dialect, stop);
  if (!second.ok()) return std::move(second).error().with_prefix("b");
  LabelledGraphPair pair{.first = *first, .second = *second, .same = same};
  if (variants_ > 0 && representation_ == Representation::rel_node) {
    const bool equal = graphs_.graphs[pair.first] == graphs_.graphs[pair.second];
    const bool first_side = random_.uniform() < 0.5;
    for (const bool side : {first_side, !first_side}) {
      const bool always = equal && side == first_side;
      if (!always && random_.uniform() >= variants_) continue;
      auto& number = side ? pair.first : pair.second;
      number = variant_of(number, side ? a : b, catalog, dialect, stop);
    }
  }
  graphs_.pairs.push_back(pair);
  groups_.push_back(group);
  first_queries_.push_back(*first);
  return ok_status();
}

}  // namespace trustsql::gmn
