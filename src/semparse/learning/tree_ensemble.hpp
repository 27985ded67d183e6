// TreeEnsemble: gradient-boosted regression trees, and how they are learned.
//
//   score(x) = sum over trees of the value of the leaf that x falls into
//
// Trees find what a linear model cannot: a cue that is harmless where an operator answers it, and fatal where none
// does. They are learned by Newton boosting (Friedman 2001; Chen and Guestrin 2016) on histograms: every input is put
// into at most 64 bins, and a tree grows level by level. The result depends on nothing but the arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace trustsql::semparse {

// Node 0 of a tree is its root; children have larger indexes.
struct TreeNode {
  std::int16_t input = -1;  // -1: a leaf
  std::uint16_t left = 0;   // where the input is at most `threshold`
  std::uint16_t right = 0;
  float threshold_or_value = 0;
};

class TreeEnsemble {
 public:
  // Precondition: `inputs` has a value for each input that the trees name; input_count() at least.
  float score(std::span<const float> inputs) const;

  // One past the largest input that a tree names.
  std::size_t input_count() const;
  bool empty() const { return trees_.empty(); }

  // Adds the trees of `other`: its scores are added to those of this one.
  void append(const TreeEnsemble& other) { trees_.insert(trees_.end(), other.trees_.begin(), other.trees_.end()); }
  // A tree without inputs, whose score is `value`.
  void append_constant(float value) { trees_.push_back({TreeNode{.threshold_or_value = value}}); }

  // As numbers, and back: of each tree its nodes, parents before children and left before right, as an input (-1: a
  // leaf) and a threshold or value. from_numbers() gives no trees if they make none.
  std::vector<float> to_numbers() const;
  static TreeEnsemble from_numbers(std::span<const float> numbers);

  std::vector<std::vector<TreeNode>>& trees() { return trees_; }
  const std::vector<std::vector<TreeNode>>& trees() const { return trees_; }

 private:
  std::vector<std::vector<TreeNode>> trees_;
};

struct BoostingOptions {
  int trees = 150;
  int depth = 5;
  float rate = 0.1F;
  float input_share = 0.4F;  // of the inputs, drawn for each tree
  float row_share = 0.7F;    // of the rows, drawn for each tree
  float regularisation = 2;  // added to the second derivatives of a leaf
  float min_curvature = 5;   // the least sum of second derivatives of a leaf
  int min_rows = 0;          // the fewest rows of a leaf
  std::uint64_t seed = 1;
};

// Writes the first and second derivatives of the loss with respect to each row's score.
using Loss = std::function<void(std::span<const float> scores, std::span<float> first, std::span<float> second)>;

// `rows` holds `width` inputs of each row, one row after the other. Precondition: all are finite.
TreeEnsemble boost(std::span<const float> rows, std::size_t width, const Loss& loss,
                   const BoostingOptions& options = {});

// Yes-or-no outcomes with the inputs that are to foretell them.
struct Outcomes {
  std::size_t width = 0;        // inputs of an outcome
  std::vector<float> inputs{};  // of all, one after the other
  std::vector<bool> right{};
  std::vector<float> weights{};
  std::vector<float> log_odds{};  // that are known already; empty: none

  std::size_t size() const { return right.size(); }
  float known(std::size_t i) const { return log_odds.empty() ? 0 : log_odds[i]; }
  std::span<const float> inputs_of(std::size_t i) const { return std::span(inputs).subspan(i * width, width); }
  // Precondition: `row` has `width` numbers, or is the first.
  void add(std::span<const float> row, bool is_right, float weight = 1);
  // Adds the i-th of `other`, with its log-odds.
  void add(const Outcomes& other, std::size_t i);
};

// Boosting with the logistic loss. The score of the result, with the log-odds that were known, is the logarithm of the
// odds that an outcome is right.
TreeEnsemble boost_outcomes(const Outcomes& outcomes, const BoostingOptions& options = {});

// Lists of options, of each of which at least one is right.
struct Choices {
  std::size_t width = 0;            // inputs of an option
  std::vector<float> inputs{};      // of all options, one after the other
  std::vector<bool> right{};        // of each option
  std::vector<float> known{};       // scores that options have already; empty: none
  std::vector<std::size_t> ends{};  // of each list: one past its last option
  std::vector<float> weights{};     // of each list

  // Adds an option to the list that is being made. Precondition: `row` has `width` numbers, or is the first.
  void add(std::span<const float> row, bool is_right);
  // Ends the list; one of whose options none is right, or all, teaches nothing and is forgotten.
  void end_list(float weight = 1);
};

// Boosting with the softmax over each list: its right options get the probability. The score of the result, with the
// scores that were known, says how good an option is among those of its list.
TreeEnsemble boost_choices(const Choices& choices, const BoostingOptions& options = {});

}  // namespace trustsql::semparse
