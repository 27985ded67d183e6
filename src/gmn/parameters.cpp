#include "gmn/parameters.hpp"

#include <cmath>

namespace trustsql::gmn {

ParameterId Parameters::add(std::string name, Eigen::Index rows, Eigen::Index cols) {
  entries_.push_back({std::move(name), rows, cols, values_.size()});
  values_.resize(values_.size() + entries_.back().size(), 0.0F);
  return {entries_.size() - 1};
}

void fill_uniform(MatrixView matrix, float bound, Random& random) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = static_cast<float>((2 * random.uniform() - 1) * static_cast<double>(bound));
}

void fill_glorot(MatrixView matrix, Random& random) {
  fill_uniform(matrix, std::sqrt(6.0F / static_cast<float>(matrix.rows() + matrix.cols())), random);
}

}  // namespace trustsql::gmn
