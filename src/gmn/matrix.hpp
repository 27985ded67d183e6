// The matrices of the graph matching network: single precision, row by row. A row is a node, an edge, a graph or a
// position in a string; the columns are its features.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace trustsql::gmn {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;
using RowView = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;
using ConstRowView = Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>>;

// Row numbers, and -1 for "none".
using Index = std::int32_t;

}  // namespace trustsql::gmn
