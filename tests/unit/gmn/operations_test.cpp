// Every operation's gradient against the difference quotient of its values.
#include "gmn/operations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gmn/graph_operations.hpp"
#include "gmn/losses.hpp"

namespace trustsql::gmn {
namespace {

// Named matrices of random numbers, and the gradient of a function of them.
class GradientCheck {
 public:
  using Function = std::function<Value(Tape&, const std::vector<Value>&)>;

  GradientCheck& matrix(Eigen::Index rows, Eigen::Index cols) {
    ids_.push_back(parameters_.add("m" + std::to_string(ids_.size()), rows, cols));
    return *this;
  }

  // The result of `function` is weighted with random numbers and added up, and each number of each matrix is moved.
  void run(const Function& function) {
    Random random(7);
    for (const auto id : ids_) fill_uniform(parameters_.view(id), 1, random);
    weights_ = Matrix();
    std::vector<float> gradient(parameters_.values().size());
    Tape tape(gradient);
    tape.backward(weighted(tape, function));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      constexpr float step = 4e-3F;
      const float before = parameters_.values()[i];
      const float up = value_at(i, before + step, function);
      const float down = value_at(i, before - step, function);
      parameters_.values()[i] = before;
      EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 2e-3 + 0.01 * std::abs(gradient[i])) << "number " << i;
    }
  }

 private:
  float value_at(std::size_t i, float number, const Function& function) {
    parameters_.values()[i] = number;
    Tape tape;
    return tape.value(weighted(tape, function))(0, 0);
  }
  Value weighted(Tape& tape, const Function& function) {
    std::vector<Value> inputs;
    for (const auto id : ids_) inputs.push_back(tape.parameter(parameters_, id));
    const Value y = function(tape, inputs);
    if (weights_.size() == 0) {
      weights_.resize(tape.rows(y), tape.cols(y));
      Random random(8);
      fill_uniform({weights_.data(), weights_.rows(), weights_.cols()}, 1, random);
    }
    const Value w = tape.constant(weights_.data(), weights_.rows(), weights_.cols());
    return scale(tape, mean(tape, multiply(tape, y, w)), static_cast<float>(weights_.size()));
  }

  Parameters parameters_;
  std::vector<ParameterId> ids_;
  Matrix weights_;
};

using Inputs = const std::vector<Value>&;

TEST(GmnOperations, Linear) {
  GradientCheck().matrix(4, 3).matrix(3, 5).matrix(1, 5).run(
      [](Tape& tape, Inputs in) { return linear(tape, in[0], in[1], in[2]); });
}
TEST(GmnOperations, Product) {
  GradientCheck().matrix(4, 3).matrix(3, 5).run([](Tape& tape, Inputs in) { return product(tape, in[0], in[1]); });
}
TEST(GmnOperations, Add) {
  GradientCheck().matrix(4, 3).matrix(4, 3).run([](Tape& tape, Inputs in) { return add(tape, in[0], in[1]); });
}
TEST(GmnOperations, AddOfOneValueTwice) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return add(tape, in[0], in[0]); });
}
TEST(GmnOperations, Multiply) {
  GradientCheck().matrix(4, 3).matrix(4, 3).run([](Tape& tape, Inputs in) { return multiply(tape, in[0], in[1]); });
}
TEST(GmnOperations, Scale) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return scale(tape, in[0], -1.5F); });
}
TEST(GmnOperations, Relu) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return relu(tape, in[0]); });
}
TEST(GmnOperations, Sigmoid) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return sigmoid(tape, in[0]); });
}
TEST(GmnOperations, Tanh) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return tanh(tape, in[0]); });
}
TEST(GmnOperations, Concatenate) {
  GradientCheck().matrix(4, 3).matrix(4, 2).run([](Tape& tape, Inputs in) { return concatenate(tape, in[0], in[1]); });
}
TEST(GmnOperations, Lookup) {
  const std::vector<Index> indexes = {2, 0, -1, 2};
  GradientCheck().matrix(3, 4).run([&](Tape& tape, Inputs in) { return lookup(tape, in[0], indexes); });
  GradientCheck().matrix(3, 4).run([&](Tape& tape, Inputs in) { return lookup(tape, in[0], indexes, 2); });
}
TEST(GmnOperations, LayerNorm) {
  GradientCheck().matrix(4, 5).matrix(1, 5).matrix(1, 5).run(
      [](Tape& tape, Inputs in) { return layer_norm(tape, in[0], in[1], in[2]); });
}
TEST(GmnOperations, Windows) {
  for (const Eigen::Index stride : {1, 2})
    GradientCheck().matrix(10, 2).run([&](Tape& tape, Inputs in) { return windows(tape, in[0], 5, 3, stride); });
}
TEST(GmnOperations, MeanOfRuns) {
  GradientCheck().matrix(6, 2).run([](Tape& tape, Inputs in) { return mean_of_runs(tape, in[0], 3); });
}
TEST(GmnOperations, Gru) {
  GradientCheck().matrix(4, 9).matrix(4, 9).matrix(4, 3).run(
      [](Tape& tape, Inputs in) { return gru(tape, in[0], in[1], in[2]); });
}
TEST(GmnOperations, Mean) {
  GradientCheck().matrix(4, 3).run([](Tape& tape, Inputs in) { return mean(tape, in[0]); });
}

// Two graphs of three and two nodes; two edges lead to node 1.
struct Edges {
  std::vector<Index> from = {0, 2, 1, 3};
  std::vector<Index> to = {1, 1, 2, 4};
  std::vector<Index> type = {0, 1, 2, 0};
  EdgeList list() const { return {from, to, type}; }
};

TEST(GmnOperations, SumOfMessages) {
  const Edges edges;
  GradientCheck().matrix(5, 3).matrix(5, 3).matrix(3, 3).run(
      [&](Tape& tape, Inputs in) { return sum_of_messages(tape, in[0], in[1], in[2], edges.list()); });
}
TEST(GmnOperations, MeanOfNeighbours) {
  const Edges edges;
  const std::vector<float> shares = {0, 0.5F, 1, 0, 1};
  GradientCheck().matrix(5, 3).run(
      [&](Tape& tape, Inputs in) { return mean_of_neighbours(tape, in[0], edges.list(), shares); });
}
TEST(GmnOperations, CrossGraphMessages) {
  const std::vector<GraphPairRows> pairs = {{0, 3, 3, 5}, {5, 6, 6, 9}};
  GradientCheck().matrix(9, 4).run([&](Tape& tape, Inputs in) { return cross_graph_messages(tape, in[0], pairs); });
}
TEST(GmnOperations, AttentionAddsUpToOneForEachNode) {
  const std::vector<GraphPairRows> pairs = {{0, 3, 3, 5}};
  Matrix r = Matrix::Random(5, 4);
  Tape tape;
  std::vector<Matrix> attention;
  cross_graph_messages(tape, tape.constant(r.data(), 5, 4), pairs, &attention);
  ASSERT_EQ(attention.size(), 2U);
  EXPECT_EQ(attention[0].rows(), 3);
  EXPECT_EQ(attention[1].rows(), 2);
  for (const auto& weights : attention) EXPECT_TRUE(weights.rowwise().sum().isOnes(1e-5F));
}
TEST(GmnOperations, SumOfGraphs) {
  const std::vector<Eigen::Index> ends = {2, 5};
  GradientCheck().matrix(5, 3).run([&](Tape& tape, Inputs in) { return sum_of_graphs(tape, in[0], ends); });
}
TEST(GmnOperations, PairDistances) {
  GradientCheck().matrix(6, 4).run([](Tape& tape, Inputs in) { return pair_distances(tape, in[0]); });
}
TEST(GmnOperations, MarginLoss) {
  const std::vector<float> labels = {1, -1, 1, -1};
  GradientCheck().matrix(4, 1).run([&](Tape& tape, Inputs in) { return margin_loss(tape, in[0], labels, 0.4F); });
}
TEST(GmnOperations, MarginLossByHand) {
  // Distances 0.5 (same), 2 (same), 0.5 (different), 2 (different): 0, 1.4, 0.9 and 0.
  const std::vector<float> distances = {0.5F, 2, 0.5F, 2};
  const std::vector<float> labels = {1, 1, -1, -1};
  Tape tape;
  EXPECT_NEAR(tape.value(margin_loss(tape, tape.constant(distances.data(), 4, 1), labels, 0.4F))(0, 0), (1.4 + 0.9) / 4,
              1e-6);
}
TEST(GmnOperations, MeanSquare) {
  GradientCheck().matrix(3, 4).run([](Tape& tape, Inputs in) { return mean_square(tape, in[0]); });
}
TEST(GmnOperations, NtXent) {
  GradientCheck().matrix(6, 4).run([](Tape& tape, Inputs in) { return nt_xent(tape, in[0], 0.5F); });
}
TEST(GmnOperations, NtXentByHand) {
  // Two graphs whose views coincide, at right angles to each other: -log(exp(2) / (2 exp(0))).
  const std::vector<float> rows = {1, 0, 3, 0, 0, 1, 0, 2};
  Tape tape;
  EXPECT_NEAR(tape.value(nt_xent(tape, tape.constant(rows.data(), 4, 2), 0.5F))(0, 0), std::log(2.0) - 2, 1e-5);
}

TEST(GmnTape, AllocatesNothingOnceItHasGrown) {
  Parameters parameters;
  const auto w = parameters.add("w", 3, 3);
  std::vector<float> gradient(9);
  Tape tape(gradient);
  const std::vector<float> x(12, 1);
  const float* first = nullptr;
  for (int pass = 0; pass < 3; ++pass) {
    tape.reset();
    const Value y = product(tape, tape.constant(x.data(), 4, 3), tape.parameter(parameters, w));
    if (first == nullptr) first = tape.value(y).data();
    EXPECT_EQ(tape.value(y).data(), first);
    tape.backward(mean(tape, y));
  }
}

}  // namespace
}  // namespace trustsql::gmn
