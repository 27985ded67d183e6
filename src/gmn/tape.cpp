#include "gmn/tape.hpp"

#include <algorithm>

namespace trustsql::gmn {

Value Tape::constant(const float* numbers, Eigen::Index rows, Eigen::Index cols) {
  return input(numbers, nullptr, rows, cols);
}

Value Tape::input(const float* numbers, float* gradient, Eigen::Index rows, Eigen::Index cols) {
  Node node;
  node.value = const_cast<float*>(numbers);  // no operation writes to its inputs
  node.gradient = records() ? gradient : nullptr;
  node.rows = rows;
  node.cols = cols;
  nodes_.push_back(node);
  return last();
}

Value Tape::parameter(const Parameters& parameters, ParameterId id) {
  const auto& entry = parameters.entry(id);
  float* gradient = records() ? parameter_gradients_.data() + entry.offset : nullptr;
  return input(parameters.values().data() + entry.offset, gradient, entry.rows, entry.cols);
}

Tape::Node& Tape::record(Eigen::Index rows, Eigen::Index cols, std::initializer_list<Value> inputs, Backward backward) {
  Node node;
  node.rows = rows;
  node.cols = cols;
  const auto size = static_cast<std::size_t>(rows * cols);
  node.value = arena_.allocate(size);
  std::copy(inputs.begin(), inputs.end(), node.inputs.begin());
  if (std::any_of(inputs.begin(), inputs.end(), [&](Value v) { return wants_gradient(v); })) {
    node.gradient = arena_.allocate_zeros(size);
    node.backward = backward;
  }
  nodes_.push_back(node);
  return nodes_.back();
}

void Tape::backward(Value result) {
  const float one = 1;
  backward(result, {&one, 1, 1});
}

void Tape::backward(Value result, ConstMatrixView seed) {
  if (!wants_gradient(result)) return;
  gradient(result) += seed;
  for (std::size_t i = result.index + 1; i-- > 0 && !must_stop();) {
    if (nodes_[i].backward != nullptr) nodes_[i].backward(*this, nodes_[i]);
  }
}

void Tape::reset() {
  nodes_.clear();
  arena_.reset();
}

}  // namespace trustsql::gmn
