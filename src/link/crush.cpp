#include "link/crush.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>

namespace trustsql::link {

CandidateSet candidate_set(std::span<const float> cosines, std::size_t probe_count, std::size_t limit) {
  CandidateSet set;
  set.probe_count = probe_count;
  if (probe_count == 0) return set;
  const std::size_t count = cosines.size() / probe_count;
  std::vector<float> best(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = cosines.subspan(i * probe_count, probe_count);
    best[i] = *std::max_element(row.begin(), row.end());
  }
  set.elements = largest(best, limit);
  set.similarity.resize(probe_count * set.elements.size());
  for (std::size_t c = 0; c < set.elements.size(); ++c)
    for (std::size_t p = 0; p < probe_count; ++p) set.at(p, c) = cosines[set.elements[c] * probe_count + p];
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

// Works with exp() of the objective, so that a step needs only products and no logarithms.
//
// With S_k the sum in Eq. 3 and T_d that in Eq. 5, adding candidate c multiplies exp(O1) by the product over k of (1 +
// exp(s_kc) / S_k), and exp(O2) by T_c and by the product over the chosen d of (1 + exp(e(d, c)) / T_d). Among the
// latter only the factors of connected d differ between candidates, by (T_d + exp(gamma)) / (T_d + 1): one product over
// the chosen elements of a table, which the table's other candidates share, and one factor for each foreign key.
class GreedySelection {
 public:
  GreedySelection(const CandidateSet& candidates, const ElementSet& elements, const SelectionOptions& options)
      : options_(options),
        count_(candidates.elements.size()),
        probes_(options.coverage ? candidates.probe_count : 0),
        stride_((count_ + lanes - 1) / lanes * lanes),
        edge_(std::exp(options.gamma)),
        open_(count_),
        own_gains_(stride_) {
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    covers_.resize(probes_ * stride_, 0);
    for (std::size_t p = 0; p < probes_; ++p)
      for (std::size_t c = 0; c < count_; ++c)
        covers_[p * stride_ + c] = std::exp(options.sharpness * candidates.at(p, c));
    covered_.resize(probes_, 0);
    if (!options.coverage) sum_up(candidates);
    if (options.edges) connect(candidates, elements);
  }

  std::vector<Selected> run() {
    std::vector<Selected> chosen;
    while (chosen.size() < options_.budget && !open_.empty()) {
      if (options_.coverage) weigh_coverage(chosen.empty());
      if (options_.edges) weigh_tables(chosen);
      std::size_t best = 0;
      double best_gain = 0;
      for (std::size_t i = 0; i < open_.size(); ++i) {
        const std::size_t c = open_[i];
        double gain = options_.coverage ? own_gains_[i] : sums_[c];
        if (options_.edges) gain *= link_gain(c);
        if (i > 0 && (gain < best_gain || (gain == best_gain && c > open_[best]))) continue;
        best = i;
        best_gain = gain;
      }
      chosen.push_back({open_[best], std::log(best_gain)});
      take(best);
    }
    return chosen;
  }

 private:
  static constexpr std::size_t lanes = 4;
  using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));

  // Without coverage: the gain of a candidate does not depend on earlier choices.
  void sum_up(const CandidateSet& candidates) {
    sums_.resize(count_);
    for (std::size_t c = 0; c < count_; ++c) {
      double sum = 0;
      for (std::size_t p = 0; p < candidates.probe_count; ++p) sum += candidates.at(p, c);
      sums_[c] = std::exp(sum);
    }
  }

  void connect(const CandidateSet& candidates, const ElementSet& elements) {
    std::unordered_map<std::size_t, std::size_t> tables;
    std::unordered_map<std::size_t, std::size_t> positions;
    for (std::size_t c = 0; c < count_; ++c) positions.emplace(candidates.elements[c], c);
    tables_.resize(count_);
    linked_.resize(count_);
    for (std::size_t c = 0; c < count_; ++c) {
      tables_[c] = tables.emplace(elements.table_of(candidates.elements[c]), tables.size()).first->second;
      for (const auto other : elements.linked(candidates.elements[c])) {
        const bool same_table = elements.table_of(other) == elements.table_of(candidates.elements[c]);
        if (const auto position = positions.find(other); position != positions.end() && !same_table)
          linked_[c].push_back(position->second);
      }
    }
    table_gains_.resize(tables.size());
    edge_sums_.resize(count_, 1);  // itself: exp(0)
    is_chosen_.resize(count_, 0);
  }

  // Computes exp of what each open candidate adds to O1; for the very first choice the sums count as 1.
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

  double gain_of_edge_to(std::size_t d) const { return 1 + (edge_ - 1) / (edge_sums_[d] + 1); }

  void weigh_tables(const std::vector<Selected>& chosen) {
    std::fill(table_gains_.begin(), table_gains_.end(), 1.0);
    for (const auto& [d, gain] : chosen) table_gains_[tables_[d]] *= gain_of_edge_to(d);
  }

  double link_gain(std::size_t c) const {
    double gain = table_gains_[tables_[c]] * edge_sums_[c];
    for (const auto d : linked_[c])
      if (is_chosen_[d] != 0) gain *= gain_of_edge_to(d);
    return options_.lambda == 1 ? gain : std::pow(gain, options_.lambda);
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
  double edge_;                    // exp(gamma)
  std::vector<std::size_t> open_;  // candidates that are not chosen
  std::vector<double> own_gains_;  // for open_[i]
  std::vector<double> covers_;     // exp(s_kc) for c = open_[i], [probe][i]
  std::vector<double> covered_;    // S_k
  std::vector<double> scales_;     // 1 / S_k
  std::vector<double> sums_;       // without coverage: exp of a candidate's sum over the probes
  std::vector<double> edge_sums_;  // T_d
  std::vector<char> is_chosen_;
  std::vector<std::size_t> tables_;
  std::vector<std::vector<std::size_t>> linked_;
  std::vector<double> table_gains_;  // product over the chosen elements of a table
};

// The probes choose in turn. An element's worth to a probe is its similarity plus gamma log(1 + the number of chosen
// elements of its table).
std::vector<Selected> select_in_turns(const CandidateSet& candidates, const ElementSet& elements,
                                      const SelectionOptions& options) {
  const std::size_t count = candidates.elements.size();
  std::vector<Selected> chosen;
  std::vector<char> is_selected(count, 0);
  std::vector<int> chosen_of_table(elements.table_count(), 0);
  while (chosen.size() < std::min(options.budget, count)) {
    for (std::size_t p = 0; p < candidates.probe_count && chosen.size() < std::min(options.budget, count); ++p) {
      std::size_t best = count;
      double best_worth = 0;
      for (std::size_t c = 0; c < count; ++c) {
        if (is_selected[c] != 0) continue;
        const int same_table = chosen_of_table[elements.table_of(candidates.elements[c])];
        const double worth = candidates.at(p, c) + (options.edges ? options.gamma * std::log(1 + same_table) : 0);
        if (best != count && worth <= best_worth) continue;
        best = c;
        best_worth = worth;
      }
      is_selected[best] = 1;
      ++chosen_of_table[elements.table_of(candidates.elements[best])];
      chosen.push_back({best, best_worth});
    }
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
