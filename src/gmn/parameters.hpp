// Parameters: the named matrices that are learned. Their numbers lie in one vector, one matrix after the other, so that
// gradients, the optimiser's moments and files have the same layout.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "gmn/matrix.hpp"

namespace trustsql::gmn {

// A parameter by its number.
struct ParameterId {
  std::size_t index = 0;
};

class Parameters {
 public:
  struct Entry {
    std::string name;
    Eigen::Index rows = 0;
    Eigen::Index cols = 0;
    std::size_t offset = 0;  // of its first number

    std::size_t size() const { return static_cast<std::size_t>(rows * cols); }
  };

  // Adds a matrix of zeros. Precondition: no other has the name.
  ParameterId add(std::string name, Eigen::Index rows, Eigen::Index cols);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry& entry(ParameterId id) const { return entries_[id.index]; }
  std::span<float> values() { return values_; }
  std::span<const float> values() const { return values_; }

  MatrixView view(ParameterId id) { return view_of(values_.data(), entry(id)); }
  ConstMatrixView view(ParameterId id) const {
    const auto& e = entry(id);
    return {values_.data() + e.offset, e.rows, e.cols};
  }

 private:
  static MatrixView view_of(float* numbers, const Entry& e) { return {numbers + e.offset, e.rows, e.cols}; }

  std::vector<Entry> entries_;
  std::vector<float> values_;
};

// Numbers drawn uniformly from [-bound, bound].
void fill_uniform(MatrixView matrix, float bound, Random& random);
// Glorot and Bengio (2010): the bound sqrt(6 / (rows + cols)).
void fill_glorot(MatrixView matrix, Random& random);

}  // namespace trustsql::gmn
