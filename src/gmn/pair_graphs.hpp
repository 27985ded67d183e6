// PairGraphs: labelled pairs of queries become labelled pairs of graphs, each query once.
//
// Pairs whose plans are equal after normalisation teach a network nothing: its distance is 0 whatever it has learned.
// So the graph of a query may be that of a plan to which only some of the normaliser's rules were applied, which means
// the same and looks otherwise: rules run both ways. The paper has no such augmentation; its pairs are labelled by
// people.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "base/result.hpp"
#include "gmn/query_graph.hpp"
#include "gmn/training_set.hpp"

namespace trustsql::gmn {

inline constexpr double default_variants = 0.3;

class PairGraphs {
 public:
  // `variants`: the share of the queries that become the graph of a plan half normalised; all of one side where the two
  // graphs of a pair would be equal. For syntax trees there are none.
  PairGraphs(Representation representation, double variants, std::uint64_t seed)
      : representation_(representation), variants_(variants), random_(seed) {}

  // Adds a pair over the schema `catalog`. `group`: pairs of one group are held out together. `schema`: a number that
  // is the same for the same schema. `stop` is called now and then; true ends the work. Errors: those of query_graph(),
  // with "a" or "b"; the pair is then left out.
  Status add(std::string_view a, std::string_view b, bool same, std::size_t group, std::size_t schema,
             const Catalog& catalog, const ResolveOptions& dialect, const std::function<bool()>& stop);

  const LabelledGraphs& graphs() const { return graphs_; }
  const std::vector<std::size_t>& groups() const { return groups_; }
  // For each pair a number that is the same for the same first query: the groups of pairs over one schema.
  const std::vector<std::size_t>& first_queries() const { return first_queries_; }

 private:
  Result<std::size_t> graph_of(std::string_view sql, std::size_t schema, const Catalog& catalog,
                               const ResolveOptions& dialect, const std::function<bool()>& stop);
  std::size_t variant_of(std::size_t graph, std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                         const std::function<bool()>& stop);

  Representation representation_;
  double variants_;
  Random random_;
  LabelledGraphs graphs_;
  std::vector<std::size_t> groups_;
  std::vector<std::size_t> first_queries_;
  std::unordered_map<std::string, std::size_t> numbers_;  // of the graphs, by schema and query
};

}  // namespace trustsql::gmn
