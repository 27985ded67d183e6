#include "link/element_index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "link/vector_math.hpp"

namespace trustsql::link {

ElementIndex::ElementIndex(const ElementSet& elements, const std::vector<Vector>& vectors, const IndexWeights& weights)
    : count_(elements.size()),
      dimensions_(vectors.empty() ? 0 : vectors[0].size()),
      rows_(count_ * dimensions_),
      moves_(elements.table_count() * dimensions_),
      tables_(count_),
      moved_inverses_(count_) {
  std::vector<Vector> tables(elements.table_count(), Vector(dimensions_, 0.0F));
  std::vector<Vector> databases(elements.database_count(), Vector(dimensions_, 0.0F));
  for (std::size_t i = 0; i < count_; ++i) add_scaled(tables[elements.table_of(i)], vectors[i], 1);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    normalise(tables[t]);
    add_scaled(databases[elements.database_of_table(t)], tables[t], 1);
  }
  for (auto& database : databases) normalise(database);
  // With a single database, all elements would be moved in the same direction.
  const float database_weight = databases.size() > 1 ? weights.database : 0;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const std::span<float> move(moves_.data() + t * dimensions_, dimensions_);
    add_scaled(move, tables[t], weights.table);
    add_scaled(move, databases[elements.database_of_table(t)], database_weight);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    std::copy(vectors[i].begin(), vectors[i].end(), rows_.begin() + static_cast<std::ptrdiff_t>(i * dimensions_));
    tables_[i] = elements.table_of(i);
    Vector moved = vectors[i];
    add_scaled(moved, std::span(moves_).subspan(tables_[i] * dimensions_, dimensions_), 1);
    const float length = std::sqrt(dot(moved, moved));
    moved_inverses_[i] = length > 0 ? 1 / length : 0;
  }
}

std::vector<float> ElementIndex::cosines(std::span<const Vector> probes, Surroundings surroundings) const {
  std::vector<float> packed(probes.size() * dimensions_);
  for (std::size_t p = 0; p < probes.size(); ++p)
    std::copy(probes[p].begin(), probes[p].end(), packed.begin() + static_cast<std::ptrdiff_t>(p * dimensions_));
  std::vector<float> results(count_ * probes.size());
  dot_all(rows_, packed, dimensions_, results);
  if (surroundings == Surroundings::ignored || dimensions_ == 0) return results;
  std::vector<float> moves(moves_.size() / dimensions_ * probes.size());
  dot_all(moves_, packed, dimensions_, moves);
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t p = 0; p < probes.size(); ++p) {
      float& result = results[i * probes.size() + p];
      result = (result + moves[tables_[i] * probes.size() + p]) * moved_inverses_[i];
    }
  }
  return results;
}

std::vector<std::size_t> largest(std::span<const float> scores, std::size_t limit) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  limit = std::min(limit, order.size());
  const auto before = [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(limit), order.end(), before);
  order.resize(limit);
  return order;
}

}  // namespace trustsql::link
