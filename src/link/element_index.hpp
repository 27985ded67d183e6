// ElementIndex: the vectors of a corpus of elements, and the search for those nearest to some probes.
//
// An element is compared by the vector of its text, as in the paper, or by its vector in its surroundings: that vector
// moved towards the mean vectors of its table and of its database, so that a column called "name" is near the topic of
// its neighbours (as in contextual document embeddings).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "link/element.hpp"
#include "link/embedder.hpp"

namespace trustsql::link {

struct IndexWeights {
  float table = 0.3F;
  float database = 0.8F;
};

enum class Surroundings { ignored, included };

class ElementIndex {
 public:
  // `vectors` are those of the elements' texts, in their order.
  ElementIndex(const ElementSet& elements, const std::vector<Vector>& vectors, const IndexWeights& weights);

  std::size_t size() const { return count_; }
  std::size_t dimensions() const { return dimensions_; }
  // The vector of the element's text.
  std::span<const float> vector(std::size_t element) const {
    return {rows_.data() + element * dimensions_, dimensions_};
  }

  // The cosines of all elements with each of the probes: [element * probe count + probe]. Precondition: probes have
  // dimensions().
  std::vector<float> cosines(std::span<const Vector> probes, Surroundings surroundings) const;

 private:
  std::size_t count_;
  std::size_t dimensions_;
  std::vector<float> rows_;
  // The sums that elements are moved by, one for each table: the weighted vectors of the table and of its database.
  std::vector<float> moves_;
  std::vector<std::size_t> tables_;    // of each element
  std::vector<float> moved_inverses_;  // 1 / the length of each element's moved vector
};

// The indexes of the `limit` largest scores, the largest first; the smaller index first in case of ties.
std::vector<std::size_t> largest(std::span<const float> scores, std::size_t limit);

}  // namespace trustsql::link
