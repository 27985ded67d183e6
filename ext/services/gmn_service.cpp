#include "ext/services/gmn_service.hpp"

#include <utility>

#include "gmn/query_graph.hpp"

namespace trustsql::ext {

Result<gmn::GraphComparer*> GmnService::comparer() {
  if (!comparer_) {
    auto shipped = gmn::shipped_network();
    if (!shipped) return internal_error("the shipped network cannot be read");
    comparer_ = std::make_unique<gmn::GraphComparer>(std::move(shipped));
  }
  return comparer_.get();
}

void GmnService::replace(std::shared_ptr<const gmn::TrainedNetwork> trained, std::string origin) {
  comparer_ = std::make_unique<gmn::GraphComparer>(std::move(trained));
  origin_ = std::move(origin);
}

const Catalog& GmnService::graph_catalog_of(const std::shared_ptr<const Catalog>& catalog) {
  if (catalog_ != catalog) {
    graph_catalog_ = std::make_unique<const Catalog>(gmn::graph_catalog(*catalog));
    catalog_ = catalog;
  }
  return *graph_catalog_;
}

Result<double> GmnService::distance(std::string_view a, std::string_view b,
                                    const std::shared_ptr<const Catalog>& schema, const ResolveOptions& dialect,
                                    TimeLimit& limit, std::vector<gmn::Attention>* attention,
                                    std::pair<plan::PlanGraph, plan::PlanGraph>* graphs) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto* const network, comparer());
  const auto& catalog = graph_catalog_of(schema);
  const auto representation = network->trained().network.hyperparameters().representation;
  auto first = limit.explain(gmn::query_graph(a, catalog, dialect, representation, limit.stop()));
  if (!first.ok()) return std::move(first).error().with_prefix("a");
  auto second = limit.explain(gmn::query_graph(b, catalog, dialect, representation, limit.stop()));
  if (!second.ok()) return std::move(second).error().with_prefix("b");
  const double distance = network->distance(*first, *second, attention);
  if (graphs != nullptr) *graphs = {*std::move(first), *std::move(second)};
  return distance;
}

}  // namespace trustsql::ext
