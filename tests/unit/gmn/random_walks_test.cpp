#include "gmn/random_walks.hpp"

#include <gtest/gtest.h>

#include "unit/gmn/example_graphs.hpp"

namespace trustsql::gmn {
namespace {

GraphInput encoded(const plan::PlanGraph& graph, Texts& texts) { return encode(graph, {}, true, texts); }

// T = A D^-1 and the diagonals of its powers, as section 4.2 defines them.
Matrix by_definition(const Matrix& adjacency, int steps) {
  Eigen::MatrixXf t = adjacency;
  for (Eigen::Index i = 0; i < t.cols(); ++i) {
    const float degree = adjacency.col(i).sum();
    if (degree > 0) t.col(i) /= degree;
  }
  Matrix result(t.rows(), steps);
  Eigen::MatrixXf power = Eigen::MatrixXf::Identity(t.rows(), t.cols());
  for (int k = 0; k < steps; ++k) {
    power = power * t;
    result.col(k) = power.diagonal();
  }
  return result;
}

void connect(Matrix& adjacency, const GraphInput& graph, Eigen::Index begin) {
  for (const auto& edge : graph.edges)
    adjacency(begin + edge.from, begin + edge.to) = adjacency(begin + edge.to, begin + edge.from) = 1;
}

TEST(GmnRandomWalks, SeparateGraphs) {
  Texts texts;
  const auto a = encoded(filter_graph("t", "1"), texts);
  const auto b = encoded(scan_graph("u"), texts);
  const auto n = static_cast<Eigen::Index>(a.size());
  Matrix adjacency = Matrix::Zero(n + static_cast<Eigen::Index>(b.size()), n + static_cast<Eigen::Index>(b.size()));
  connect(adjacency, a, 0);
  connect(adjacency, b, n);
  for (const int steps : {1, 2, 7, 32})
    EXPECT_TRUE(walk_positions(a, b, Positions::separate, steps).isApprox(by_definition(adjacency, steps), 1e-4F));
}

TEST(GmnRandomWalks, MergedAtRelsAndAtMatchingSubtrees) {
  Texts texts;
  const auto a = encoded(filter_graph("t", "1"), texts);
  const auto b = encoded(scan_graph("t"), texts);
  const auto n = static_cast<Eigen::Index>(a.size());
  Matrix adjacency = Matrix::Zero(n + static_cast<Eigen::Index>(b.size()), n + static_cast<Eigen::Index>(b.size()));
  connect(adjacency, a, 0);
  connect(adjacency, b, n);
  // Rels with Rels; Scan with Scan and its table; Project with Project; the column t.a, which a has twice.
  for (const auto& [i, j] : {std::pair(0, 0), {1, 1}, {2, 2}, {6, 3}, {7, 4}, {4, 4}})
    adjacency(i, n + j) = adjacency(n + j, i) = 1;
  EXPECT_TRUE(walk_positions(a, b, Positions::merged, 16).isApprox(by_definition(adjacency, 16), 1e-4F));
}

TEST(GmnRandomWalks, ManyNodesGoThroughInParts) {
  plan::PlanGraph star;
  star.nodes.push_back({plan::PlanGraph::NodeKind::computing, "Rels"});
  for (int i = 1; i <= 150; ++i) {
    star.nodes.push_back({plan::PlanGraph::NodeKind::content, "c" + std::to_string(i)});
    star.edges.push_back({plan::PlanGraph::EdgeKind::tree, 0, i});
  }
  Texts texts;
  const auto graph = encoded(star, texts);
  const auto walks = walk_positions(graph, graph, Positions::separate, 4);
  // From the middle a walk is always back after two steps, from a leaf with 1/150.
  EXPECT_NEAR(walks(0, 1), 1, 1e-4);
  EXPECT_NEAR(walks(150, 1), 1.0 / 150, 1e-5);
  EXPECT_NEAR(walks(150, 0), 0, 1e-6);
}

}  // namespace
}  // namespace trustsql::gmn
