#include "gmn/random_walks.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trustsql::gmn {

namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

void join_nodes(Neighbours& neighbours, std::size_t a, std::size_t b) {
  if (a == b) return;
  neighbours[a].push_back(b);
  neighbours[b].push_back(a);
}

void add_graph(Neighbours& neighbours, const GraphInput& graph, std::size_t begin) {
  for (const auto& edge : graph.edges)
    join_nodes(neighbours, begin + static_cast<std::size_t>(edge.from), begin + static_cast<std::size_t>(edge.to));
}

void add_seeds(Neighbours& neighbours, const GraphInput& first, const GraphInput& second) {
  if (first.size() == 0 || second.size() == 0) return;
  join_nodes(neighbours, 0, first.size());
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> of_hash;
  for (std::size_t i = 0; i < first.size(); ++i) of_hash[first.subtrees[i]].push_back(i);
  for (std::size_t j = 0; j < second.size(); ++j) {
    const auto found = of_hash.find(second.subtrees[j]);
    if (found == of_hash.end()) continue;
    for (const auto i : found->second) join_nodes(neighbours, i, first.size() + j);
  }
}

// T = A D^-1 has the same diagonals of powers as the symmetric S = D^-1/2 A D^-1/2, and of that
//     (S^(a+b))_vv = sum over u of (S^a)_uv (S^b)_uv
// so half as many powers are needed. They are computed for some columns at a time, which bounds the memory.
class Walks {
 public:
  explicit Walks(Neighbours neighbours) : neighbours_(std::move(neighbours)), roots_(neighbours_.size()) {
    for (std::size_t v = 0; v < neighbours_.size(); ++v) {
      auto& own = neighbours_[v];
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      roots_[v] = own.empty() ? 0 : 1 / std::sqrt(static_cast<float>(own.size()));
    }
  }

  Matrix returns(int steps) const {
    const auto n = static_cast<Eigen::Index>(neighbours_.size());
    Matrix result(n, steps);
    for (Eigen::Index begin = 0; begin < n; begin += columns)
      add_columns(begin, std::min(columns, n - begin), steps, result);
    return result;
  }

 private:
  static constexpr Eigen::Index columns = 64;

  void add_columns(Eigen::Index begin, Eigen::Index count, int steps, Matrix& result) const {
    const auto n = static_cast<Eigen::Index>(neighbours_.size());
    std::vector<Matrix> powers(1, Matrix::Zero(n, count));  // their columns `begin` to `begin + count`
    for (Eigen::Index c = 0; c < count; ++c) powers[0](begin + c, c) = 1;
    const int half = (steps + 1) / 2;
    for (int k = 1; k <= half; ++k) powers.push_back(step(powers.back()));
    for (int k = 1; k <= steps; ++k) {
      const auto& a = powers[static_cast<std::size_t>(std::min(k, half))];
      const auto& b = powers[static_cast<std::size_t>(k - std::min(k, half))];
      result.col(k - 1).segment(begin, count) = a.cwiseProduct(b).colwise().sum().transpose();
    }
  }

  Matrix step(const Matrix& x) const {
    Matrix y = Matrix::Zero(x.rows(), x.cols());
    for (std::size_t v = 0; v < neighbours_.size(); ++v) {
      for (const auto u : neighbours_[v])
        y.row(static_cast<Eigen::Index>(v)) += x.row(static_cast<Eigen::Index>(u)) * (roots_[v] * roots_[u]);
    }
    return y;
  }

  Neighbours neighbours_;
  std::vector<float> roots_;  // 1 / sqrt(degree)
};

}  // namespace

Matrix walk_positions(const GraphInput& first, const GraphInput& second, Positions positions, int steps) {
  Neighbours neighbours(first.size() + second.size());
  add_graph(neighbours, first, 0);
  add_graph(neighbours, second, first.size());
  if (positions == Positions::merged) add_seeds(neighbours, first, second);
  return Walks(std::move(neighbours)).returns(steps);
}

}  // namespace trustsql::gmn
