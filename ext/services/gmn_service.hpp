// GmnService: the graph matching network of a connection: the shipped one, until another is trained or loaded.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "ext/services/session.hpp"
#include "ext/services/time_limit.hpp"
#include "gmn/graph_comparer.hpp"
#include "sql/resolver.hpp"

namespace trustsql::ext {

// One for each connection; host thread only.
class GmnService {
 public:
  static GmnService& of(Session& session) { return session.objects().shared<GmnService>(); }

  // Error (internal): the shipped network cannot be read.
  Result<gmn::GraphComparer*> comparer();
  // Where the network comes from: "shipped", "trained", or the path of a file.
  const std::string& origin() const { return origin_; }

  void replace(std::shared_ptr<const gmn::TrainedNetwork> trained, std::string origin);

  // The network's distance between two queries over `catalog`; `limit` may end the work. Errors: those of
  // gmn::query_graph(), with "a" or "b"; of TimeLimit::error().
  Result<double> distance(std::string_view a, std::string_view b, const std::shared_ptr<const Catalog>& catalog,
                          const ResolveOptions& dialect, TimeLimit& limit,
                          std::vector<gmn::Attention>* attention = nullptr,
                          std::pair<plan::PlanGraph, plan::PlanGraph>* graphs = nullptr);

 private:
  const Catalog& graph_catalog_of(const std::shared_ptr<const Catalog>& catalog);

  std::unique_ptr<gmn::GraphComparer> comparer_;
  std::shared_ptr<const Catalog> catalog_;  // the last one, and what graphs are made over
  std::unique_ptr<const Catalog> graph_catalog_;
  std::string origin_ = "shipped";
};

}  // namespace trustsql::ext
