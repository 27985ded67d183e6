#include "gmn/operations.hpp"

#include <cmath>

namespace trustsql::gmn {

namespace {

// Adds to the gradient of the node's input `i`, if it wants one.
template <typename Expression>
void pass_on(Tape& tape, const Tape::Node& node, std::size_t i, const Expression& gradient) {
  if (tape.wants_gradient(node.inputs[i])) tape.gradient(node.inputs[i]) += gradient;
}

void product_backward(Tape& tape, const Tape::Node& node) {
  const auto dy = Tape::gradient_of(node);
  if (tape.wants_gradient(node.inputs[0]))
    tape.gradient(node.inputs[0]).noalias() += dy * tape.value(node.inputs[1]).transpose();
  if (tape.wants_gradient(node.inputs[1]))
    tape.gradient(node.inputs[1]).noalias() += tape.value(node.inputs[0]).transpose() * dy;
}

void linear_backward(Tape& tape, const Tape::Node& node) {
  product_backward(tape, node);
  pass_on(tape, node, 2, Tape::gradient_of(node).colwise().sum());
}

void add_backward(Tape& tape, const Tape::Node& node) {
  pass_on(tape, node, 0, Tape::gradient_of(node));
  pass_on(tape, node, 1, Tape::gradient_of(node));
}

void multiply_backward(Tape& tape, const Tape::Node& node) {
  pass_on(tape, node, 0, Tape::gradient_of(node).cwiseProduct(tape.value(node.inputs[1])));
  pass_on(tape, node, 1, Tape::gradient_of(node).cwiseProduct(tape.value(node.inputs[0])));
}

void scale_backward(Tape& tape, const Tape::Node& node) {
  pass_on(tape, node, 0, Tape::gradient_of(node) * node.scale);
}

void relu_backward(Tape& tape, const Tape::Node& node) {
  pass_on(tape, node, 0, (Tape::value_of(node).array() > 0).select(Tape::gradient_of(node), 0.0F));
}

void sigmoid_backward(Tape& tape, const Tape::Node& node) {
  const auto y = Tape::value_of(node).array();
  pass_on(tape, node, 0, (Tape::gradient_of(node).array() * y * (1 - y)).matrix());
}

void tanh_backward(Tape& tape, const Tape::Node& node) {
  const auto y = Tape::value_of(node).array();
  pass_on(tape, node, 0, (Tape::gradient_of(node).array() * (1 - y * y)).matrix());
}

void concatenate_backward(Tape& tape, const Tape::Node& node) {
  const auto dy = Tape::gradient_of(node);
  pass_on(tape, node, 0, dy.leftCols(tape.cols(node.inputs[0])));
  pass_on(tape, node, 1, dy.rightCols(tape.cols(node.inputs[1])));
}

void lookup_backward(Tape& tape, const Tape::Node& node) {
  auto table = tape.gradient(node.inputs[0]);
  const auto dy = Tape::gradient_of(node);
  const auto& indexes = node.indexes[0];
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i] >= 0) table.row(indexes[i]) += dy.row(static_cast<Eigen::Index>(i) / node.size);
  }
}

// node.kept: 1 / standard deviation of each row.
void layer_norm_backward(Tape& tape, const Tape::Node& node) {
  const auto dy = Tape::gradient_of(node);
  const auto x = tape.value(node.inputs[0]);
  const auto gain = tape.value(node.inputs[1]).row(0).array();
  const auto cols = static_cast<float>(node.cols);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    const auto normal = ((x.row(i).array() - x.row(i).mean()) * node.kept[i]).eval();
    const auto gradient = dy.row(i).array();
    if (tape.wants_gradient(node.inputs[1])) tape.gradient(node.inputs[1]).row(0).array() += gradient * normal;
    if (tape.wants_gradient(node.inputs[2])) tape.gradient(node.inputs[2]).row(0).array() += gradient;
    if (tape.wants_gradient(node.inputs[0])) {
      const auto inner = (gradient * gain).eval();
      tape.gradient(node.inputs[0]).row(i).array() +=
          node.kept[i] * (inner - inner.sum() / cols - normal * ((inner * normal).sum() / cols));
    }
  }
}

// Calls take(row of the result, its first column, row of x) for each part of a window that lies in its sequence.
template <typename Take>
void for_each_tap(Eigen::Index sequences, Eigen::Index length, Eigen::Index taps, Eigen::Index stride,
                  Eigen::Index cols, Take&& take) {
  const auto positions = (length + stride - 1) / stride;
  for (Eigen::Index s = 0; s < sequences; ++s) {
    for (Eigen::Index p = 0; p < positions; ++p) {
      for (Eigen::Index t = 0; t < taps; ++t) {
        const auto from = p * stride + t - taps / 2;
        if (from >= 0 && from < length) take(s * positions + p, t * cols, s * length + from);
      }
    }
  }
}

struct WindowSizes {
  Eigen::Index length;
  Eigen::Index taps;
  Eigen::Index stride;
};

// node.size holds the three sizes.
Eigen::Index packed(const WindowSizes& s) { return (s.length * 256 + s.taps) * 256 + s.stride; }
WindowSizes unpacked(Eigen::Index size) { return {size / (256 * 256), size / 256 % 256, size % 256}; }

void windows_backward(Tape& tape, const Tape::Node& node) {
  const auto sizes = unpacked(node.size);
  auto dx = tape.gradient(node.inputs[0]);
  const auto dy = Tape::gradient_of(node);
  for_each_tap(dx.rows() / sizes.length, sizes.length, sizes.taps, sizes.stride, dx.cols(),
               [&](Eigen::Index row, Eigen::Index col, Eigen::Index from) {
                 dx.row(from) += dy.row(row).segment(col, dx.cols());
               });
}

void mean_of_runs_backward(Tape& tape, const Tape::Node& node) {
  auto dx = tape.gradient(node.inputs[0]);
  const auto dy = Tape::gradient_of(node);
  const auto share = 1.0F / static_cast<float>(node.size);
  for (Eigen::Index i = 0; i < dx.rows(); ++i) dx.row(i) += dy.row(i / node.size) * share;
}

// node.kept: r, z and c of each row.
void gru_backward(Tape& tape, const Tape::Node& node) {
  const auto d = node.cols;
  const auto from_state = tape.value(node.inputs[1]);
  const auto state = tape.value(node.inputs[2]);
  const auto dy = Tape::gradient_of(node);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    const float* kept = node.kept + i * 3 * d;
    const ConstRowView r(kept, d);
    const ConstRowView z(kept + d, d);
    const ConstRowView c(kept + 2 * d, d);
    const auto g = dy.row(i).array();
    const auto dc = (g * (1 - z) * (1 - c * c)).eval();
    const auto dz = (g * (state.row(i).array() - c) * z * (1 - z)).eval();
    const auto s3 = from_state.row(i).segment(2 * d, d).array();
    const auto dr = (dc * s3 * r * (1 - r)).eval();
    if (tape.wants_gradient(node.inputs[0])) {
      auto di = tape.gradient(node.inputs[0]).row(i).array();
      di.segment(0, d) += dr;
      di.segment(d, d) += dz;
      di.segment(2 * d, d) += dc;
    }
    if (tape.wants_gradient(node.inputs[1])) {
      auto ds = tape.gradient(node.inputs[1]).row(i).array();
      ds.segment(0, d) += dr;
      ds.segment(d, d) += dz;
      ds.segment(2 * d, d) += dc * r;
    }
    if (tape.wants_gradient(node.inputs[2])) tape.gradient(node.inputs[2]).row(i).array() += g * z;
  }
}

void mean_backward(Tape& tape, const Tape::Node& node) {
  tape.gradient(node.inputs[0]).array() += node.gradient[0] / static_cast<float>(node.size);
}

}  // namespace

Value linear(Tape& tape, Value x, Value w, Value b) {
  auto& node = tape.record(tape.rows(x), tape.cols(w), {x, w, b}, linear_backward);
  auto y = Tape::value_of(node);
  y.noalias() = tape.value(x) * tape.value(w);
  y.rowwise() += tape.value(b).row(0);
  return tape.last();
}

Value product(Tape& tape, Value x, Value w) {
  auto& node = tape.record(tape.rows(x), tape.cols(w), {x, w}, product_backward);
  Tape::value_of(node).noalias() = tape.value(x) * tape.value(w);
  return tape.last();
}

Value add(Tape& tape, Value x, Value y) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x, y}, add_backward);
  Tape::value_of(node) = tape.value(x) + tape.value(y);
  return tape.last();
}

Value multiply(Tape& tape, Value x, Value y) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x, y}, multiply_backward);
  Tape::value_of(node) = tape.value(x).cwiseProduct(tape.value(y));
  return tape.last();
}

Value scale(Tape& tape, Value x, float factor) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x}, scale_backward);
  node.scale = factor;
  Tape::value_of(node) = tape.value(x) * factor;
  return tape.last();
}

Value relu(Tape& tape, Value x) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x}, relu_backward);
  Tape::value_of(node) = tape.value(x).cwiseMax(0.0F);
  return tape.last();
}

Value sigmoid(Tape& tape, Value x) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x}, sigmoid_backward);
  Tape::value_of(node).array() = 1.0F / (1.0F + (-tape.value(x).array()).exp());
  return tape.last();
}

Value tanh(Tape& tape, Value x) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x}, tanh_backward);
  Tape::value_of(node).array() = tape.value(x).array().tanh();
  return tape.last();
}

Value concatenate(Tape& tape, Value x, Value y) {
  auto& node = tape.record(tape.rows(x), tape.cols(x) + tape.cols(y), {x, y}, concatenate_backward);
  auto result = Tape::value_of(node);
  result.leftCols(tape.cols(x)) = tape.value(x);
  result.rightCols(tape.cols(y)) = tape.value(y);
  return tape.last();
}

Value lookup(Tape& tape, Value table, std::span<const Index> indexes, Eigen::Index per_row) {
  const auto rows = static_cast<Eigen::Index>(indexes.size()) / per_row;
  auto& node = tape.record(rows, tape.cols(table), {table}, lookup_backward);
  node.indexes[0] = indexes;
  node.size = per_row;
  const auto source = tape.value(table);
  auto y = Tape::value_of(node);
  y.setZero();
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i] >= 0) y.row(static_cast<Eigen::Index>(i) / per_row) += source.row(indexes[i]);
  }
  return tape.last();
}

Value layer_norm(Tape& tape, Value x, Value gain, Value shift) {
  constexpr float epsilon = 1e-5F;
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x, gain, shift}, layer_norm_backward);
  node.kept = tape.arena().allocate(static_cast<std::size_t>(node.rows));
  auto y = Tape::value_of(node);
  const auto source = tape.value(x);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    const auto centred = (source.row(i).array() - source.row(i).mean()).eval();
    node.kept[i] = 1.0F / std::sqrt(centred.square().mean() + epsilon);
    y.row(i).array() = centred * node.kept[i] * tape.value(gain).row(0).array() + tape.value(shift).row(0).array();
  }
  return tape.last();
}

Value windows(Tape& tape, Value x, Eigen::Index length, Eigen::Index taps, Eigen::Index stride) {
  const auto sequences = tape.rows(x) / length;
  const auto positions = (length + stride - 1) / stride;
  auto& node = tape.record(sequences * positions, taps * tape.cols(x), {x}, windows_backward);
  node.size = packed({length, taps, stride});
  auto y = Tape::value_of(node);
  const auto source = tape.value(x);
  y.setZero();
  for_each_tap(sequences, length, taps, stride, source.cols(),
               [&](Eigen::Index row, Eigen::Index col, Eigen::Index from) {
                 y.row(row).segment(col, source.cols()) = source.row(from);
               });
  return tape.last();
}

Value mean_of_runs(Tape& tape, Value x, Eigen::Index length) {
  auto& node = tape.record(tape.rows(x) / length, tape.cols(x), {x}, mean_of_runs_backward);
  node.size = length;
  auto y = Tape::value_of(node);
  for (Eigen::Index i = 0; i < node.rows; ++i) y.row(i) = tape.value(x).middleRows(i * length, length).colwise().mean();
  return tape.last();
}

Value gru(Tape& tape, Value from_input, Value from_state, Value state) {
  const auto d = tape.cols(state);
  auto& node = tape.record(tape.rows(state), d, {from_input, from_state, state}, gru_backward);
  node.kept = tape.arena().allocate(static_cast<std::size_t>(node.rows * 3 * d));
  auto y = Tape::value_of(node);
  const auto x = tape.value(from_input);
  const auto s = tape.value(from_state);
  for (Eigen::Index i = 0; i < node.rows; ++i) {
    float* kept = node.kept + i * 3 * d;
    RowView gates(kept, 2 * d);
    RowView c(kept + 2 * d, d);
    const auto xi = x.row(i).array();
    const auto si = s.row(i).array();
    gates = 1.0F / (1.0F + (-(xi.segment(0, 2 * d) + si.segment(0, 2 * d))).exp());
    c = (xi.segment(2 * d, d) + gates.segment(0, d) * si.segment(2 * d, d)).tanh();
    const auto z = gates.segment(d, d);
    y.row(i).array() = (1 - z) * c + z * tape.value(state).row(i).array();
  }
  return tape.last();
}

Value mean(Tape& tape, Value x) {
  auto& node = tape.record(1, 1, {x}, mean_backward);
  node.size = tape.rows(x) * tape.cols(x);
  node.value[0] = tape.value(x).mean();
  return tape.last();
}

}  // namespace trustsql::gmn
