#include "gmn/graph_comparer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gmn/losses.hpp"
#include "gmn/random_walks.hpp"

namespace trustsql::gmn {

double similarity_of(double distance) { return std::max((3 - distance) / 3, 0.0); }

Matrix GraphComparer::vectors_of(const std::vector<std::string>& texts) {
  if (vectors_.size() > most_strings) vectors_.clear();
  const auto& network = trained_->network;
  std::vector<const std::string*> missing;
  std::vector<Index> codes;
  for (const auto& text : texts) {
    if (vectors_.count(text) > 0) continue;
    missing.push_back(&text);
    network.strings().append_codes(text, codes);
  }
  if (!missing.empty()) {
    tape_.reset();
    const auto rows = tape_.value(network.strings().apply(tape_, network.parameters(), codes));
    for (std::size_t i = 0; i < missing.size(); ++i) {
      const float* row = rows.data() + static_cast<Eigen::Index>(i) * rows.cols();
      vectors_[*missing[i]].assign(row, row + rows.cols());
    }
  }
  Matrix result(static_cast<Eigen::Index>(texts.size()), network.hyperparameters().node_state);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& vector = vectors_[texts[i]];
    std::copy(vector.begin(), vector.end(), result.data() + static_cast<Eigen::Index>(i) * result.cols());
  }
  return result;
}

double GraphComparer::distance(const plan::PlanGraph& first, const plan::PlanGraph& second,
                               std::vector<Attention>* attention) {
  const auto& network = trained_->network;
  const auto& h = network.hyperparameters();
  Texts texts;
  const auto a = encode(first, network.vocabulary(), h.flows, texts);
  const auto b = encode(second, network.vocabulary(), h.flows, texts);
  const Matrix strings = vectors_of(texts.texts());
  std::vector<Index> rows_of_texts(texts.size());
  std::iota(rows_of_texts.begin(), rows_of_texts.end(), Index{0});
  const Matrix positions = h.positions == Positions::none ? Matrix() : walk_positions(a, b, h.positions, h.walk_steps);
  batch_.clear();
  batch_.add(a, b, rows_of_texts, positions);
  batch_.finish();
  tape_.reset();
  std::vector<std::vector<Matrix>> weights;
  const Value vectors =
      network.graph_vectors(tape_, batch_, tape_.constant(strings.data(), strings.rows(), strings.cols()),
                            attention == nullptr ? nullptr : &weights);
  const auto result = static_cast<double>(tape_.value(pair_distances(tape_, vectors))(0, 0));
  if (attention != nullptr) {
    for (auto& step : weights) attention->push_back({std::move(step[0]), std::move(step[1])});
  }
  if (first == second) return 0;  // what is computed is 0 but for rounding
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

}  // namespace trustsql::gmn
