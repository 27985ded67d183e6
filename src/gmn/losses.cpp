#include "gmn/losses.hpp"

#include <cmath>

namespace trustsql::gmn {

namespace {

// Keeps the derivative of the distance finite where two vectors are equal.
constexpr float smallest_distance = 1e-4F;

void pair_distances_backward(Tape& tape, const Tape::Node& node) {
  const auto x = tape.value(node.inputs[0]);
  auto dx = tape.gradient(node.inputs[0]);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    const float share = node.gradient[i] / (node.value[i] + smallest_distance);
    const auto g = ((x.row(2 * i) - x.row(2 * i + 1)) * share).eval();
    dx.row(2 * i) += g;
    dx.row(2 * i + 1) -= g;
  }
}

float margin_of(float distance, float label, float margin) { return margin - label * (1 - distance); }

void margin_loss_backward(Tape& tape, const Tape::Node& node) {
  const auto* labels = static_cast<const float*>(node.structure);
  const auto distances = tape.value(node.inputs[0]);
  auto dx = tape.gradient(node.inputs[0]);
  const float share = node.gradient[0] / static_cast<float>(distances.size());
  for (Eigen::Index i = 0; i < distances.size(); ++i) {
    if (margin_of(distances(i, 0), labels[i], node.scale) > 0) dx(i, 0) += labels[i] * share;
  }
}

void mean_square_backward(Tape& tape, const Tape::Node& node) {
  const auto x = tape.value(node.inputs[0]);
  tape.gradient(node.inputs[0]) += x * (2 * node.gradient[0] / static_cast<float>(x.size()));
}

Eigen::Index other_view(Eigen::Index row) { return row ^ 1; }

// node.kept: the rows divided by their lengths, then 1 / lengths, then the gradient of the loss with respect to each
// similarity.
void nt_xent_backward(Tape& tape, const Tape::Node& node) {
  const auto rows = tape.rows(node.inputs[0]);
  const auto cols = tape.cols(node.inputs[0]);
  const ConstMatrixView unit(node.kept, rows, cols);
  const float* inverse = node.kept + rows * cols;
  const ConstMatrixView d_similarity(inverse + rows, rows, rows);
  const Matrix d_unit = (d_similarity + d_similarity.transpose()) * unit * node.gradient[0];
  auto dx = tape.gradient(node.inputs[0]);
  for (Eigen::Index i = 0; i < rows; ++i)
    dx.row(i) += (d_unit.row(i) - unit.row(i) * d_unit.row(i).dot(unit.row(i))) * inverse[i];
}

}  // namespace

Value pair_distances(Tape& tape, Value x) {
  auto& node = tape.record(tape.rows(x) / 2, 1, {x}, pair_distances_backward);
  const auto rows = tape.value(x);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    const float square = (rows.row(2 * i) - rows.row(2 * i + 1)).squaredNorm();
    node.value[i] = std::sqrt(square + smallest_distance * smallest_distance) - smallest_distance;
  }
  return tape.last();
}

Value margin_loss(Tape& tape, Value distances, std::span<const float> labels, float margin) {
  auto& node = tape.record(1, 1, {distances}, margin_loss_backward);
  node.structure = labels.data();
  node.scale = margin;
  const auto d = tape.value(distances);
  float sum = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i)
    sum += std::max(0.0F, margin_of(d(i, 0), labels[static_cast<std::size_t>(i)], margin));
  node.value[0] = sum / static_cast<float>(d.size());
  return tape.last();
}

Value mean_square(Tape& tape, Value x) {
  auto& node = tape.record(1, 1, {x}, mean_square_backward);
  node.value[0] = tape.value(x).squaredNorm() / static_cast<float>(tape.rows(x) * tape.cols(x));
  return tape.last();
}

Value nt_xent(Tape& tape, Value x, float temperature) {
  auto& node = tape.record(1, 1, {x}, nt_xent_backward);
  const auto source = tape.value(x);
  const auto n = source.rows();
  node.kept = tape.arena().allocate(static_cast<std::size_t>(n * source.cols() + n + n * n));
  MatrixView unit(node.kept, n, source.cols());
  float* inverse = node.kept + n * source.cols();
  MatrixView d_similarity(inverse + n, n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    inverse[i] = 1.0F / std::sqrt(source.row(i).squaredNorm() + 1e-12F);
    unit.row(i) = source.row(i) * inverse[i];
  }
  d_similarity.noalias() = unit * unit.transpose();
  const float share = 1.0F / static_cast<float>(n);
  double loss = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    auto row = d_similarity.row(i).array();
    const float positive = row[other_view(i)] / temperature;
    row = (row / temperature - 1.0F / temperature).exp();  // no cosine exceeds 1
    row[i] = 0;
    row[other_view(i)] = 0;
    const float sum = row.sum();
    loss += static_cast<double>(std::log(sum) + 1.0F / temperature - positive);
    row *= share / (sum * temperature);
    row[other_view(i)] = -share / temperature;
  }
  node.value[0] = static_cast<float>(loss) * share;
  return tape.last();
}

}  // namespace trustsql::gmn
