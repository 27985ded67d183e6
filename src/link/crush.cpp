#include "link/crush.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace trustsql::link {

namespace {

CandidateSet candidates_of(std::vector<std::size_t> elements, std::span<const float> cosines, std::size_t probe_count,
                           std::size_t stride) {
  CandidateSet set;
  set.probe_count = probe_count;
  set.elements = std::move(elements);
  set.similarity.resize(probe_count * set.elements.size());
  for (std::size_t c = 0; c < set.elements.size(); ++c)
    for (std::size_t p = 0; p < probe_count; ++p) set.at(p, c) = cosines[set.elements[c] * stride + p];
  return set;
}

}  // namespace

CandidateSet candidate_set(std::span<const float> cosines, std::size_t probe_count, std::size_t stride,
                           std::size_t limit) {
  if (probe_count == 0) return {};
  std::vector<float> best(cosines.size() / stride);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto row = cosines.subspan(i * stride, probe_count);
    best[i] = *std::max_element(row.begin(), row.end());
  }
  return candidates_of(largest(best, limit), cosines, probe_count, stride);
}

CandidateSet candidates_by_worth(std::span<const float> cosines, std::size_t probe_count, std::size_t stride,
                                 std::span<const float> worth, std::size_t limit) {
  if (probe_count == 0) return {};
  auto set = candidates_of(largest(worth, limit), cosines, probe_count, stride);
  for (const auto element : set.elements) set.worth.push_back(worth[element]);
  return set;
}

void entropy_guided(CandidateSet& candidates, bool entropy) {
  for (float& cosine : candidates.similarity) cosine = 0.5F * (1 + std::clamp(cosine, -1.0F, 1.0F));
  if (!entropy || candidates.elements.empty()) return;
  const std::size_t count = candidates.elements.size();
  std::vector<double> entropies(candidates.probe_count);
  double mean = 0;
  for (std::size_t p = 0; p < candidates.probe_count; ++p) {
    double total = 0;
    double weighted = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const double share = candidates.at(p, c);
      total += share;
      if (share > 0) weighted += share * std::log(share);
    }
    // The entropy of the shares divided by their total.
    entropies[p] = total > 0 ? std::log(total) - weighted / total : 0;
    mean += entropies[p] / static_cast<double>(candidates.probe_count);
  }
  for (std::size_t p = 0; p < candidates.probe_count; ++p) {
    const auto damping = static_cast<float>(1 / (1 + std::exp(entropies[p] - mean)));
    for (std::size_t c = 0; c < count; ++c) candidates.at(p, c) *= damping;
  }
}

namespace {

// Works with b times the objective, b the sharpness, where b smx(x) = log sum exp(b x), and where possible with exp()
// of that, so that a step needs only products and no logarithms.
//
// With S_k the sum in Eq. 3 and T_d that in Eq. 5, adding candidate c multiplies exp(b O1) by the product over k of (1
// + exp(b s_kc) / S_k), and exp(b O2) by T_c and by the product over the chosen d of (1 + exp(b e(d, c)) / T_d). Among
// the latter only the factors of connected d differ between candidates, by (T_d + exp(b gamma)) / (T_d + 1): one
// product over the chosen elements of a table, which the table's other candidates share, and one factor for each
// foreign key.
class GreedySelection {
 public:
  GreedySelection(const CandidateSet& candidates, const ElementSet& elements, const SelectionOptions& options)
      : options_(options),
        count_(candidates.elements.size()),
        probes_(options.coverage ? candidates.probe_count : 0),
        stride_((count_ + lanes - 1) / lanes * lanes),
        edge_(std::exp(std::min(options.sharpness * options.gamma, max_edge))),
        in_logs_(overflows(candidates)),
        open_(count_),
        own_gains_(stride_) {
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    covers_.resize(probes_ * stride_, 0);
    for (std::size_t p = 0; p < probes_; ++p)
      for (std::size_t c = 0; c < count_; ++c)
        covers_[p * stride_ + c] = std::exp(options.sharpness * candidates.at(p, c));
    covered_.resize(probes_, 0);
    sum_up(candidates);
    if (options.edges) connect(candidates, elements);
  }

  std::vector<Selected> run() {
    std::vector<Selected> chosen;
    while (chosen.size() < options_.budget && !open_.empty()) {
      if (options_.coverage && !in_logs_) weigh_coverage(chosen.empty());
      if (options_.edges) weigh_tables(chosen);
      std::size_t best = 0;
      double best_gain = 0;
      for (std::size_t i = 0; i < open_.size(); ++i) {
        const std::size_t c = open_[i];
        const double gain = in_logs_ ? log_gain(i, chosen.empty()) : product_gain(i);
        if (i > 0 && (gain < best_gain || (gain == best_gain && c > open_[best]))) continue;
        best = i;
        best_gain = gain;
      }
      chosen.push_back({open_[best], in_logs_ ? best_gain : std::log(best_gain)});
      take(best);
    }
    return chosen;
  }

 private:
  static constexpr std::size_t lanes = 4;
  using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
  static constexpr double max_edge = 300;     // exp() of twice that is a number
  static constexpr double max_product = 600;  // likewise

  // Whether exp() of a candidate's gain may be too large for a number.
  bool overflows(const CandidateSet& candidates) const {
    double largest = 0;
    for (const float s : candidates.similarity) largest = std::max(largest, std::abs(static_cast<double>(s)));
    double spread = 0;
    for (const float w : candidates.worth) spread = std::max(spread, std::abs(static_cast<double>(w)));
    const double links = options_.edges ? options_.lambda * (2 * std::log(edge_) + 20) : 0;
    return options_.sharpness * (largest * static_cast<double>(candidates.probe_count) + spread) + links > max_product;
  }

  // What does not depend on earlier choices: a candidate's worth and, without coverage, its similarities.
  void sum_up(const CandidateSet& candidates) {
    fixed_logs_.resize(count_);
    fixed_gains_.resize(count_);
    for (std::size_t c = 0; c < count_; ++c) {
      double sum = candidates.worth.empty() ? 0 : candidates.worth[c];
      for (std::size_t p = 0; !options_.coverage && p < candidates.probe_count; ++p) sum += candidates.at(p, c);
      fixed_logs_[c] = options_.sharpness * sum;
      fixed_gains_[c] = std::exp(fixed_logs_[c]);
    }
  }

  void connect(const CandidateSet& candidates, const ElementSet& elements) {
    std::unordered_map<std::size_t, std::size_t> tables;
    std::unordered_map<std::size_t, std::size_t> positions;
    for (std::size_t c = 0; c < count_; ++c) positions.emplace(candidates.elements[c], c);
    tables_.resize(count_);
    linked_.resize(count_);
    for (std::size_t c = 0; c < count_; ++c) {
      const std::size_t element = candidates.elements[c];
      tables_[c] = tables.emplace(elements.table_of(element), tables.size()).first->second;
      for (const auto other : options_.declared_keys ? elements.declared(element) : elements.linked(element)) {
        const bool same_table = elements.table_of(other) == elements.table_of(element);
        if (const auto position = positions.find(other); position != positions.end() && !same_table)
          linked_[c].push_back(position->second);
      }
    }
    table_gains_.resize(tables.size());
    edge_sums_.resize(count_, 1);  // itself: exp(0)
    is_chosen_.resize(count_, 0);
  }

  // Computes exp of what each open candidate adds to b O1; for the very first choice the sums count as 1.
  void weigh_coverage(bool first) {
    for (std::size_t i = 0; i < open_.size(); i += lanes) {
      Lanes product = {1, 1, 1, 1};
      for (std::size_t p = 0; p < probes_; ++p) {
        Lanes covers;
        std::memcpy(&covers, covers_.data() + p * stride_ + i, sizeof(Lanes));
        product *= first ? covers : 1 + covers * scales_[p];
      }
      std::memcpy(own_gains_.data() + i, &product, sizeof(Lanes));
    }
  }

  double product_gain(std::size_t i) const {
    const std::size_t c = open_[i];
    double gain = fixed_gains_[c];
    if (options_.coverage) gain *= own_gains_[i];
    if (!options_.edges) return gain;
    const double links = link_gain(c);
    return gain * (options_.lambda == 1 ? links : std::pow(links, options_.lambda));
  }

  double log_gain(std::size_t i, bool first) const {
    const std::size_t c = open_[i];
    double gain = fixed_logs_[c];
    for (std::size_t p = 0; p < probes_; ++p) {
      const double covers = covers_[p * stride_ + i];
      gain += first ? std::log(covers) : std::log1p(covers * scales_[p]);
    }
    return options_.edges ? gain + options_.lambda * std::log(link_gain(c)) : gain;
  }

  double gain_of_edge_to(std::size_t d) const { return 1 + (edge_ - 1) / (edge_sums_[d] + 1); }

  void weigh_tables(const std::vector<Selected>& chosen) {
    std::fill(table_gains_.begin(), table_gains_.end(), 1.0);
    for (const auto& [d, gain] : chosen) table_gains_[tables_[d]] *= gain_of_edge_to(d);
  }

  double link_gain(std::size_t c) const {
    double gain = table_gains_[tables_[c]] * edge_sums_[c];
    for (const auto d : linked_[c])
      if (is_chosen_[d] != 0) gain *= gain_of_edge_to(d);
    return gain;
  }

  // Marks open_[i] as chosen; the last open candidate moves to its position.
  void take(std::size_t i) {
    const std::size_t c = open_[i];
    const std::size_t last = open_.size() - 1;
    for (std::size_t p = 0; p < probes_; ++p) {
      covered_[p] += covers_[p * stride_ + i];
      covers_[p * stride_ + i] = covers_[p * stride_ + last];
    }
    scales_.resize(probes_);
    for (std::size_t p = 0; p < probes_; ++p) scales_[p] = 1 / covered_[p];
    open_[i] = open_[last];
    open_.pop_back();
    if (!options_.edges) return;
    // T of the chosen elements, and the T that each other element would have if it were chosen now, gain one term.
    is_chosen_[c] = 1;
    for (std::size_t other = 0; other < count_; ++other)
      if (other != c) edge_sums_[other] += tables_[other] == tables_[c] ? edge_ : 1;
    for (const auto other : linked_[c]) edge_sums_[other] += edge_ - 1;
  }

  const SelectionOptions& options_;
  std::size_t count_;
  std::size_t probes_;
  std::size_t stride_;
  double edge_;                      // exp(b gamma)
  bool in_logs_;                     // exp() of gains might overflow
  std::vector<std::size_t> open_;    // candidates that are not chosen
  std::vector<double> own_gains_;    // for open_[i]
  std::vector<double> covers_;       // exp(b s_kc) for c = open_[i], [probe][i]
  std::vector<double> covered_;      // S_k
  std::vector<double> scales_;       // 1 / S_k
  std::vector<double> fixed_logs_;   // b times what a candidate adds whenever it is chosen
  std::vector<double> fixed_gains_;  // exp of that
  std::vector<double> edge_sums_;    // T_d
  std::vector<char> is_chosen_;
  std::vector<std::size_t> tables_;
  std::vector<std::vector<std::size_t>> linked_;
  std::vector<double> table_gains_;  // product over the chosen elements of a table
};

// An element's score for a probe is its similarity plus gamma log(1 + the number of chosen elements of its table). The
// uncovered probe whose best element has the largest score chooses it; when every probe has chosen, all are uncovered
// again. Ties: the earlier candidate, then the earlier probe.
std::vector<Selected> select_in_turns(const CandidateSet& candidates, const ElementSet& elements,
                                      const SelectionOptions& options) {
  const std::size_t count = candidates.elements.size();
  std::vector<Selected> chosen;
  std::vector<char> is_selected(count, 0);
  std::vector<char> is_covered(candidates.probe_count, 0);
  std::size_t uncovered = candidates.probe_count;
  std::vector<int> chosen_of_table(elements.table_count(), 0);
  std::vector<double> of_table(count, 0);  // what the chosen elements of a candidate's table add to its scores
  while (chosen.size() < std::min(options.budget, count)) {
    std::size_t best = count;
    std::size_t best_probe = 0;
    double best_score = 0;
    for (std::size_t c = 0; c < count; ++c) {
      if (is_selected[c] != 0) continue;
      const double own = of_table[c] + (candidates.worth.empty() ? 0.0 : candidates.worth[c]);
      for (std::size_t p = 0; p < candidates.probe_count; ++p) {
        if (is_covered[p] != 0) continue;
        const double score = candidates.at(p, c) + own;
        if (best != count && score <= best_score) continue;
        best = c;
        best_probe = p;
        best_score = score;
      }
    }
    is_selected[best] = 1;
    chosen.push_back({best, best_score});
    const std::size_t table = elements.table_of(candidates.elements[best]);
    const double bonus = options.edges ? options.gamma * std::log(1 + ++chosen_of_table[table]) : 0;
    for (std::size_t c = 0; c < count; ++c)
      if (elements.table_of(candidates.elements[c]) == table) of_table[c] = bonus;
    is_covered[best_probe] = 1;
    if (--uncovered > 0) continue;
    std::fill(is_covered.begin(), is_covered.end(), 0);
    uncovered = candidates.probe_count;
  }
  return chosen;
}

}  // namespace

std::vector<Selected> select_collectively(const CandidateSet& candidates, const ElementSet& elements,
                                          const SelectionOptions& options) {
  if (candidates.probe_count == 0) return {};
  if (options.take_turns) return select_in_turns(candidates, elements, options);
  return GreedySelection(candidates, elements, options).run();
}

}  // namespace trustsql::link
