// Tape: reverse-mode differentiation. Operations are carried out when they are recorded; backward() then goes through
// the record from its end and adds to each matrix the gradient of a result.
//
// A value is a matrix; all graphs of a batch share one, one below the other, so that an operation costs the same
// few calls whether there is one graph or fifty. Values and gradients lie in an arena: a pass allocates nothing once
// the arena has grown to its size. An operation is a function that records a Node (operations.hpp,
// graph_operations.hpp, losses.hpp): its value, its inputs, and the function that passes its gradient on to them.
//
//   Tape tape(&gradients);
//   const Value y = linear(tape, x, tape.parameter(parameters, weights), tape.parameter(parameters, bias));
//   tape.backward(mean(tape, y));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gmn/arena.hpp"
#include "gmn/matrix.hpp"
#include "gmn/parameters.hpp"

namespace trustsql::gmn {

// A matrix on a tape, by its number. Valid until the tape is reset.
struct Value {
  std::uint32_t index = 0;
};

class Tape {
 public:
  struct Node;
  // Adds to the gradients of the node's inputs.
  using Backward = void (*)(Tape& tape, const Node& node);

  struct Node {
    float* value = nullptr;
    float* gradient = nullptr;  // null where no gradient is needed
    Eigen::Index rows = 0;
    Eigen::Index cols = 0;
    Backward backward = nullptr;
    std::array<Value, 3> inputs{};
    // What an operation keeps for its way back: indexes that its caller owns, numbers in the arena, sizes.
    std::array<std::span<const Index>, 3> indexes{};
    const void* structure = nullptr;
    float* kept = nullptr;
    Eigen::Index size = 0;
    float scale = 0;
  };

  // `gradients` (the layout of Parameters::values()) receives what backward() adds to the gradients of parameters.
  // Null: the tape computes values only, and keeps nothing for a way back. `stop`, if given, must outlive the tape:
  // once it returns true the pass ends early, and its numbers are of no use.
  explicit Tape(std::span<float> gradients = {}, const std::function<bool()>* stop = nullptr)
      : parameter_gradients_(gradients), stop_(stop) {}

  bool records() const { return !parameter_gradients_.empty(); }
  bool must_stop() const { return stop_ != nullptr && (*stop_)(); }

  // A matrix that does not depend on parameters. It is not copied: `numbers` must outlive the pass.
  Value constant(const float* numbers, Eigen::Index rows, Eigen::Index cols);
  // The same, with a gradient that the caller owns and that backward() adds to (null: none).
  Value input(const float* numbers, float* gradient, Eigen::Index rows, Eigen::Index cols);
  Value parameter(const Parameters& parameters, ParameterId id);

  ConstMatrixView value(Value v) const { return {at(v).value, at(v).rows, at(v).cols}; }
  // The gradient of the result that backward() was called with. Precondition: wants_gradient(v).
  MatrixView gradient(Value v) { return {at(v).gradient, at(v).rows, at(v).cols}; }
  bool wants_gradient(Value v) const { return at(v).gradient != nullptr; }
  Eigen::Index rows(Value v) const { return at(v).rows; }
  Eigen::Index cols(Value v) const { return at(v).cols; }

  // Adds the gradients of `result` to those of all values before it, and to the parameters' gradients. Precondition:
  // `result` is one number, and records().
  void backward(Value result);
  // The same for a result of any size, given the gradient with respect to it.
  void backward(Value result, ConstMatrixView gradient);

  // Forgets the values and keeps the memory.
  void reset();

  // For operations: a node of that size, whose numbers are not set. It wants a gradient if one of the inputs does.
  Node& record(Eigen::Index rows, Eigen::Index cols, std::initializer_list<Value> inputs, Backward backward);
  Value last() const { return {static_cast<std::uint32_t>(nodes_.size() - 1)}; }
  Arena& arena() { return arena_; }
  static MatrixView value_of(Node& node) { return {node.value, node.rows, node.cols}; }
  static ConstMatrixView value_of(const Node& node) { return {node.value, node.rows, node.cols}; }
  static ConstMatrixView gradient_of(const Node& node) { return {node.gradient, node.rows, node.cols}; }

 private:
  const Node& at(Value v) const { return nodes_[v.index]; }

  std::span<float> parameter_gradients_;
  const std::function<bool()>* stop_;
  std::vector<Node> nodes_;
  Arena arena_;
};

}  // namespace trustsql::gmn
