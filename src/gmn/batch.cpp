#include "gmn/batch.hpp"

namespace trustsql::gmn {

void Batch::clear() {
  for (auto* indexes : {&embeddings_, &texts_, &from_, &to_, &type_}) indexes->clear();
  for (auto* numbers : {&edges_in_, &edges_out_, &shares_, &positions_}) numbers->clear();
  pairs_.clear();
  ends_.clear();
}

void Batch::add_nodes(const GraphInput& graph, const std::vector<Index>& rows_of_texts) {
  const auto begin = static_cast<Index>(nodes());
  embeddings_.insert(embeddings_.end(), graph.embeddings.begin(), graph.embeddings.end());
  for (const Index text : graph.texts) texts_.push_back(text < 0 ? -1 : rows_of_texts[static_cast<std::size_t>(text)]);
  for (const auto& edge : graph.edges) {
    from_.push_back(begin + edge.from);
    to_.push_back(begin + edge.to);
    type_.push_back(static_cast<Index>(edge.kind));
  }
  ends_.push_back(nodes());
}

void Batch::add(const GraphInput& first, const GraphInput& second, const std::vector<Index>& rows_of_texts,
                const Matrix& positions) {
  GraphPairRows rows;
  rows.first_begin = nodes();
  add_nodes(first, rows_of_texts);
  rows.first_end = rows.second_begin = nodes();
  add_nodes(second, rows_of_texts);
  rows.second_end = nodes();
  pairs_.push_back(rows);
  positions_.insert(positions_.end(), positions.data(), positions.data() + positions.size());
}

void Batch::finish() {
  const auto count = from_.size();
  const auto n = static_cast<std::size_t>(nodes());
  edges_in_.assign(n, 0);
  edges_out_.assign(n, 0);
  for (std::size_t i = 0; i < count; ++i) {
    ++edges_out_[static_cast<std::size_t>(from_[i])];
    ++edges_in_[static_cast<std::size_t>(to_[i])];
    from_.push_back(to_[i]);
    to_.push_back(from_[i]);
    type_.push_back(type_[i]);
  }
  for (std::size_t v = 0; v < n; ++v) {
    const float degree = edges_in_[v] + edges_out_[v];
    shares_.push_back(degree == 0 ? 0 : 1 / degree);
  }
}

}  // namespace trustsql::gmn
