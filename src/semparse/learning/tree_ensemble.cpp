#include "semparse/learning/tree_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_bins = 64;

struct Sums {
  double first = 0;
  double second = 0;
  int rows = 0;
};

// The best split of a node.
struct Split {
  double gain = 0;
  std::size_t input = 0;
  std::size_t bin = 0;  // the last that goes left
};

class Booster {
 public:
  Booster(std::span<const float> rows, std::size_t width, const BoostingOptions& options)
      : width_(width), count_(width == 0 ? 0 : rows.size() / width), options_(options), random_(options.seed, 3) {
    make_bins(rows);
  }

  TreeEnsemble run(const Loss& loss) {
    TreeEnsemble ensemble;
    std::vector<float> scores(count_, 0.0F);
    first_.resize(count_);
    second_.resize(count_);
    for (int i = 0; i < options_.trees; ++i) {
      loss(scores, first_, second_);
      ensemble.trees().push_back(grow());
      const auto& tree = ensemble.trees().back();
      for (std::size_t row = 0; row < count_; ++row) scores[row] += leaf_value(tree, row);
    }
    return ensemble;
  }

 private:
  std::uint8_t bin(std::size_t row, std::size_t input) const { return bins_[row * width_ + input]; }

  // Borders between bins lie between distinct values, at quantiles where there are more values than bins.
  void make_bins(std::span<const float> rows) {
    borders_.resize(width_);
    bins_.resize(count_ * width_);
    std::vector<float> values(count_);
    for (std::size_t input = 0; input < width_; ++input) {
      for (std::size_t row = 0; row < count_; ++row) values[row] = rows[row * width_ + input];
      std::sort(values.begin(), values.end());
      auto& borders = borders_[input];
      const auto add_border = [&borders](float below, float above) {
        const float border = below + (above - below) / 2;
        borders.push_back(border < above ? border : below);
      };
      std::size_t distinct = count_ == 0 ? 0 : 1;
      for (std::size_t i = 1; i < count_; ++i) distinct += values[i] != values[i - 1] ? 1U : 0U;
      std::size_t next = 0;  // the position from which a border may follow
      const std::size_t step = distinct <= max_bins ? 0 : count_ / max_bins + 1;
      for (std::size_t i = 1; i < count_ && borders.size() + 1 < max_bins; ++i) {
        if (values[i] == values[i - 1] || i < next) continue;
        add_border(values[i - 1], values[i]);
        next = i + step;
      }
      for (std::size_t row = 0; row < count_; ++row) {
        const auto at = std::lower_bound(borders.begin(), borders.end(), rows[row * width_ + input]);
        bins_[row * width_ + input] = static_cast<std::uint8_t>(at - borders.begin());
      }
    }
  }

  std::vector<std::size_t> draw_inputs() {
    std::vector<std::size_t> inputs(width_);
    std::iota(inputs.begin(), inputs.end(), std::size_t{0});
    const auto wanted =
        std::max<std::size_t>(1, static_cast<std::size_t>(options_.input_share * static_cast<float>(width_)));
    for (std::size_t i = 0; i < wanted; ++i) std::swap(inputs[i], inputs[i + random_.below(width_ - i)]);
    inputs.resize(wanted);
    std::sort(inputs.begin(), inputs.end());
    return inputs;
  }

  std::vector<TreeNode> grow() {
    const auto inputs = draw_inputs();
    std::vector<std::uint32_t> rows;
    const auto share = static_cast<std::uint64_t>(options_.row_share * 1024);
    for (std::size_t row = 0; row < count_; ++row)
      if (random_.below(1024) < share) rows.push_back(static_cast<std::uint32_t>(row));
    std::vector<TreeNode> tree;
    grow_node(tree, inputs, rows, 0);
    return tree;
  }

  // Returns the index of the new node.
  std::uint16_t grow_node(std::vector<TreeNode>& tree, const std::vector<std::size_t>& inputs,
                          std::span<std::uint32_t> rows, int depth) {
    const auto index = static_cast<std::uint16_t>(tree.size());
    tree.emplace_back();
    Sums total;
    for (const auto row : rows) {
      total.first += static_cast<double>(first_[row]);
      total.second += static_cast<double>(second_[row]);
      ++total.rows;
    }
    const auto split = depth < options_.depth ? best_split(inputs, rows, total) : Split{};
    if (split.gain <= 0) {
      const double value = -total.first / (total.second + static_cast<double>(options_.regularisation));
      tree[index].threshold_or_value = options_.rate * static_cast<float>(value);
      return index;
    }
    const auto middle = std::stable_partition(rows.begin(), rows.end(),
                                              [&](std::uint32_t row) { return bin(row, split.input) <= split.bin; });
    const auto left_size = static_cast<std::size_t>(middle - rows.begin());
    tree[index].input = static_cast<std::int16_t>(split.input);
    tree[index].threshold_or_value = borders_[split.input][split.bin];
    const auto left = grow_node(tree, inputs, rows.first(left_size), depth + 1);
    const auto right = grow_node(tree, inputs, rows.subspan(left_size), depth + 1);
    tree[index].left = left;
    tree[index].right = right;
    return index;
  }

  double gain_of(const Sums& sums) const {
    return sums.first * sums.first / (sums.second + static_cast<double>(options_.regularisation));
  }

  Split best_split(const std::vector<std::size_t>& inputs, std::span<const std::uint32_t> rows, const Sums& total) {
    histogram_.assign(inputs.size() * max_bins, {});
    for (const auto row : rows) {
      const auto* const bins = bins_.data() + row * width_;
      const auto first = static_cast<double>(first_[row]);
      const auto second = static_cast<double>(second_[row]);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto& sums = histogram_[i * max_bins + bins[inputs[i]]];
        sums.first += first;
        sums.second += second;
        ++sums.rows;
      }
    }
    Split best;
    const double whole = gain_of(total);
    const auto least = static_cast<double>(options_.min_curvature);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Sums left;
      for (std::size_t at = 0; at < borders_[inputs[i]].size(); ++at) {
        const auto& sums = histogram_[i * max_bins + at];
        left.first += sums.first;
        left.second += sums.second;
        left.rows += sums.rows;
        const Sums right{total.first - left.first, total.second - left.second, total.rows - left.rows};
        if (left.second < least || right.second < least) continue;
        if (left.rows < options_.min_rows || right.rows < options_.min_rows) continue;
        const double gain = gain_of(left) + gain_of(right) - whole;
        if (gain > best.gain + 1e-9) best = {gain, inputs[i], at};
      }
    }
    return best;
  }

  float leaf_value(const std::vector<TreeNode>& tree, std::size_t row) const {
    std::size_t at = 0;
    while (tree[at].input >= 0) {
      const auto input = static_cast<std::size_t>(tree[at].input);
      const auto& borders = borders_[input];
      const auto border = static_cast<std::size_t>(
          std::lower_bound(borders.begin(), borders.end(), tree[at].threshold_or_value) - borders.begin());
      at = bin(row, input) <= border ? tree[at].left : tree[at].right;
    }
    return tree[at].threshold_or_value;
  }

  std::size_t width_;
  std::size_t count_;
  const BoostingOptions& options_;
  Random random_;
  std::vector<std::vector<float>> borders_{};  // of each input: the upper ends of all bins but the last
  std::vector<std::uint8_t> bins_{};           // by row
  std::vector<float> first_{};
  std::vector<float> second_{};
  std::vector<Sums> histogram_{};
};

void append_numbers(const std::vector<TreeNode>& tree, std::size_t at, std::vector<float>& numbers) {
  const auto& node = tree[at];
  numbers.push_back(static_cast<float>(node.input));
  numbers.push_back(node.threshold_or_value);
  if (node.input < 0) return;
  append_numbers(tree, node.left, numbers);
  append_numbers(tree, node.right, numbers);
}

// Reads the node that `numbers` begin with, and what is below it, and removes them from `numbers`. False if they end
// too early, or are of too deep a tree.
bool read_node(std::span<const float>& numbers, std::vector<TreeNode>& tree, int depth) {
  constexpr int max_depth = 30;
  if (numbers.size() < 2 || depth > max_depth || tree.size() > UINT16_MAX) return false;
  const auto at = tree.size();
  tree.push_back(
      {.input = static_cast<std::int16_t>(std::clamp(numbers[0], -1.0F, 1000.0F)), .threshold_or_value = numbers[1]});
  numbers = numbers.subspan(2);
  if (tree[at].input < 0) return true;
  tree[at].left = static_cast<std::uint16_t>(tree.size());
  if (!read_node(numbers, tree, depth + 1)) return false;
  tree[at].right = static_cast<std::uint16_t>(tree.size());
  return read_node(numbers, tree, depth + 1);
}

}  // namespace

float TreeEnsemble::score(std::span<const float> inputs) const {
  float sum = 0;
  for (const auto& tree : trees_) {
    std::size_t at = 0;
    while (tree[at].input >= 0)
      at = inputs[static_cast<std::size_t>(tree[at].input)] <= tree[at].threshold_or_value ? tree[at].left
                                                                                           : tree[at].right;
    sum += tree[at].threshold_or_value;
  }
  return sum;
}

std::size_t TreeEnsemble::input_count() const {
  std::size_t count = 0;
  for (const auto& tree : trees_)
    for (const auto& node : tree) count = std::max(count, static_cast<std::size_t>(node.input + 1));
  return count;
}

std::vector<float> TreeEnsemble::to_numbers() const {
  std::vector<float> numbers;
  for (const auto& tree : trees_) append_numbers(tree, 0, numbers);
  return numbers;
}

TreeEnsemble TreeEnsemble::from_numbers(std::span<const float> numbers) {
  TreeEnsemble ensemble;
  while (!numbers.empty())
    if (!read_node(numbers, ensemble.trees_.emplace_back(), 0)) return {};
  return ensemble;
}

TreeEnsemble boost(std::span<const float> rows, std::size_t width, const Loss& loss, const BoostingOptions& options) {
  return Booster(rows, width, options).run(loss);
}

void Outcomes::add(std::span<const float> row, bool is_right, float weight) {
  width = row.size();
  inputs.insert(inputs.end(), row.begin(), row.end());
  right.push_back(is_right);
  weights.push_back(weight);
}

void Outcomes::add(const Outcomes& other, std::size_t i) {
  add(other.inputs_of(i), other.right[i], other.weights[i]);
  if (!other.log_odds.empty()) log_odds.push_back(other.log_odds[i]);
}

TreeEnsemble boost_outcomes(const Outcomes& outcomes, const BoostingOptions& options) {
  const auto loss = [&outcomes](std::span<const float> scores, std::span<float> first, std::span<float> second) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float p = logistic(outcomes.known(i) + scores[i]);
      first[i] = outcomes.weights[i] * (p - (outcomes.right[i] ? 1.0F : 0.0F));
      second[i] = outcomes.weights[i] * std::max(p * (1 - p), 1e-4F);
    }
  };
  return boost(outcomes.inputs, outcomes.width, loss, options);
}

void Choices::add(std::span<const float> row, bool is_right) {
  width = row.size();
  inputs.insert(inputs.end(), row.begin(), row.end());
  right.push_back(is_right);
}

void Choices::end_list(float weight) {
  const auto first = right.begin() + static_cast<std::ptrdiff_t>(ends.empty() ? 0 : ends.back());
  const auto found = std::count(first, right.end(), true);
  if (found > 0 && found < right.end() - first) {
    ends.push_back(right.size());
    weights.push_back(weight);
    return;
  }
  right.erase(first, right.end());
  inputs.resize(right.size() * width);
  if (!known.empty()) known.resize(right.size());
}

TreeEnsemble boost_choices(const Choices& choices, const BoostingOptions& options) {
  const auto loss = [&choices](std::span<const float> scores, std::span<float> first, std::span<float> second) {
    std::size_t begin = 0;
    for (std::size_t list = 0; list < choices.ends.size(); ++list) {
      std::vector<float> p(choices.ends[list] - begin);
      for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = (choices.known.empty() ? 0.0F : choices.known[begin + i]) + scores[begin + i];
      log_softmax(p);
      float mass = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = std::exp(p[i]);
        if (choices.right[begin + i]) mass += p[i];
      }
      const float weight = choices.weights[list];
      for (std::size_t i = 0; i < p.size(); ++i) {
        const float wanted = choices.right[begin + i] ? p[i] / std::max(mass, 1e-6F) : 0.0F;
        first[begin + i] = weight * (p[i] - wanted);
        second[begin + i] = weight * std::max(p[i] * (1 - p[i]), 1e-3F);
      }
      begin = choices.ends[list];
    }
  };
  return boost(choices.inputs, choices.width, loss, options);
}

}  // namespace trustsql::semparse
