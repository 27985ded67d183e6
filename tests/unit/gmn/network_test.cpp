#include "gmn/network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gmn/losses.hpp"
#include "gmn/random_walks.hpp"
#include "gmn/string_encoder.hpp"
#include "unit/gmn/example_graphs.hpp"

namespace trustsql::gmn {
namespace {

// The parts of a pass over some pairs of graphs.
class Pass {
 public:
  Pass(const Network& network, const std::vector<std::pair<plan::PlanGraph, plan::PlanGraph>>& pairs)
      : network_(network) {
    for (const auto& [first, second] : pairs) {
      graphs_.push_back(encode(first, network.vocabulary(), network.hyperparameters().flows, texts_));
      graphs_.push_back(encode(second, network.vocabulary(), network.hyperparameters().flows, texts_));
    }
    std::vector<Index> rows;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      rows.push_back(static_cast<Index>(i));
      network.strings().append_codes(texts_.texts()[i], codes_);
    }
    const auto& h = network.hyperparameters();
    for (std::size_t i = 0; i < graphs_.size(); i += 2) {
      const auto positions = h.positions == Positions::none
                                 ? Matrix()
                                 : walk_positions(graphs_[i], graphs_[i + 1], h.positions, h.walk_steps);
      batch_.add(graphs_[i], graphs_[i + 1], rows, positions);
    }
    batch_.finish();
  }

  Value vectors(Tape& tape, std::vector<std::vector<Matrix>>* attention = nullptr) const {
    const Value strings = network_.strings().apply(tape, network_.parameters(), codes_);
    return network_.graph_vectors(tape, batch_, strings, attention);
  }
  Value distances(Tape& tape) const { return pair_distances(tape, vectors(tape)); }
  std::vector<float> distances() const {
    Tape tape;
    const auto d = tape.value(distances(tape));
    return {d.data(), d.data() + d.size()};
  }

 private:
  const Network& network_;
  Texts texts_;
  std::vector<GraphInput> graphs_;
  std::vector<Index> codes_;
  Batch batch_;
};

Network small_network(Hyperparameters h = small_sizes()) {
  Network network(h, {"=", "Filter", "Project", "Rels", "Scan"});
  network.initialise(3);
  return network;
}

TEST(GmnNetwork, GradientOfTheWholeNetwork) {
  int checked = 0;
  for (const auto positions : {Positions::none, Positions::separate, Positions::merged}) {
    auto h = small_sizes();
    h.positions = positions;
    auto network = small_network(h);
    const Pass pass(network,
                    {{filter_graph("t", "1"), filter_graph("t", "2")}, {filter_graph("u", "1"), scan_graph("u")}});
    auto values = network.parameters().values();
    // Biases that are 0 would leave the ends of short strings at the kink of relu.
    Random random(5);
    for (auto& value : values) value += static_cast<float>(0.2 * random.uniform() - 0.1);
    std::vector<float> gradient(values.size());
    Tape tape(gradient);
    tape.backward(mean_square(tape, pass.vectors(tape)));
    const auto loss = [&] {
      Tape inference;
      return inference.value(mean_square(inference, pass.vectors(inference)))(0, 0);
    };
    // Along the gradient of each matrix, so that every one of them counts.
    for (const auto& entry : network.parameters().entries()) {
      const std::vector<float> before(values.begin(), values.end());
      double length = 0;
      for (std::size_t i = entry.offset; i < entry.offset + entry.size(); ++i)
        length += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
      length = std::sqrt(length);
      if (length < 1e-2) continue;
      ++checked;
      // A long step may cross a kink of relu, and a short one is lost in rounding, so this tells a gradient that is
      // missing, doubled or of the wrong sign; how exact the operations are is tested one by one. (With all numbers
      // double and steps of 1e-7 the errors are below 1e-4.)
      double error = 1e9;
      for (const double step : {4e-3, 1e-3, 3e-4, 1e-4}) {
        float at[2];
        for (const int side : {0, 1}) {
          for (std::size_t i = entry.offset; i < entry.offset + entry.size(); ++i)
            values[i] = before[i] + static_cast<float>((side * 2 - 1) * step / length) * gradient[i];
          at[side] = loss();
        }
        error = std::min(error, std::abs(static_cast<double>(at[1] - at[0]) / (2 * step) - length));
      }
      std::copy(before.begin(), before.end(), values.begin());
      EXPECT_LT(error, 0.1 * length + 2e-3) << entry.name << ", positions " << name(positions);
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(GmnNetwork, EqualGraphsHaveNoDistance) {
  const auto network = small_network();
  const auto graph = filter_graph("t", "1");
  EXPECT_NEAR(Pass(network, {{graph, graph}}).distances()[0], 0, 1e-8);
  EXPECT_GT(Pass(network, {{graph, filter_graph("t", "2")}}).distances()[0], 0);
}

TEST(GmnNetwork, PairsOfABatchDoNotTouchEachOther) {
  const auto network = small_network();
  const std::pair first(filter_graph("t", "1"), filter_graph("t", "2"));
  const std::pair second(filter_graph("u", "1"), scan_graph("u"));
  const auto both = Pass(network, {first, second}).distances();
  EXPECT_NEAR(both[0], Pass(network, {first}).distances()[0], 1e-5);
  EXPECT_NEAR(both[1], Pass(network, {second}).distances()[0], 1e-5);
}

TEST(GmnNetwork, TheOrderOfAPairDoesNotMatter) {
  const auto network = small_network();
  const auto a = filter_graph("t", "1");
  const auto b = scan_graph("t");
  EXPECT_NEAR(Pass(network, {{a, b}}).distances()[0], Pass(network, {{b, a}}).distances()[0], 1e-5);
}

TEST(GmnNetwork, ComputingNodesOutsideTheVocabularyAreToldApartByTheirNames) {
  const auto network = small_network();
  auto a = filter_graph("t", "1");
  auto b = a;
  a.nodes[3].value = "soundex";
  b.nodes[3].value = "unhex";
  EXPECT_GT(Pass(network, {{a, b}}).distances()[0], 0);
}

TEST(GmnNetwork, AttentionHasOneMatrixForEachStepPairAndDirection) {
  const auto network = small_network();
  const Pass pass(network, {{filter_graph("t", "1"), scan_graph("t")}});
  Tape tape;
  std::vector<std::vector<Matrix>> attention;
  pass.vectors(tape, &attention);
  ASSERT_EQ(attention.size(), static_cast<std::size_t>(network.hyperparameters().steps));
  for (const auto& step : attention) {
    ASSERT_EQ(step.size(), 2U);
    EXPECT_EQ(step[0].rows(), step[1].cols());
    EXPECT_EQ(step[0].cols(), step[1].rows());
  }
}

TEST(GmnStrings, VectorsDoNotDependOnTheOtherStringsOfABatch) {
  const auto network = small_network();
  const auto vectors = [&](const std::vector<std::string>& texts) {
    std::vector<Index> codes;
    for (const auto& text : texts) network.strings().append_codes(text, codes);
    Tape tape;
    return Matrix(tape.value(network.strings().apply(tape, network.parameters(), codes)));
  };
  const auto one = vectors({"kid"});
  const auto many = vectors({"child", "kid", ""});
  EXPECT_TRUE(one.row(0).isApprox(many.row(1), 1e-5F));
  EXPECT_FALSE(many.row(0).isApprox(many.row(1), 1e-3F));
}

TEST(GmnStrings, BothEndsOfLongTextsCount) {
  const auto network = small_network();
  const std::string long_text(500, 'x');
  std::vector<Index> codes;
  network.strings().append_codes(long_text + "a", codes);
  const auto size = codes.size();
  network.strings().append_codes(long_text + "b", codes);
  EXPECT_EQ(codes.size(), 2 * size);
  EXPECT_FALSE(std::equal(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(size),
                          codes.begin() + static_cast<std::ptrdiff_t>(size)));
}

}  // namespace
}  // namespace trustsql::gmn
