#include "link/crush.hpp"

#include <algorithm>
#include <cmath>

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
    // H of the shares divided by their total.
    entropies[p] = total > 0 ? std::log(total) - weighted / total : 0;
    mean += entropies[p] / static_cast<double>(candidates.probe_count);
  }
  for (std::size_t p = 0; p < candidates.probe_count; ++p) {
    const auto damping = static_cast<float>(1 / (1 + std::exp(entropies[p] - mean)));
    for (std::size_t c = 0; c < count; ++c) candidates.at(p, c) *= damping;
  }
}

namespace {

// exp() of the objective, so that a step costs products and no logarithms.
//
// With S_k the sum in Eq. 3 and T_d that in Eq. 5, adding candidate c multiplies exp(O1) by the product over k of
// (1 + exp(s_kc) / S_k), and exp(O2) by T_c and the product over the chosen d of (1 + exp(e(d, c)) / T_d). Of the latter only
// the factors of connected d differ from candidate to candidate: (T_d + exp(gamma)) / (T_d + 1) against 1.
class GreedySelection {
 public:
  GreedySelection(const CandidateSet& candidates, const ElementSet& elements, const SelectionOptions& options)
      : options_(options), count_(candidates.elements.size()), padded_((count_ + lanes - 1) / lanes * lanes), probes_(candidates.probe_count) {
    if (options.coverage) {
      covers_.resize(probes_ * padded_, 0);
      for (std::size_t p = 0; p < probes_; ++p)
        for (std::size_t c = 0; c < count_; ++c) covers_[p * padded_ + c] = std::exp(options.sharpness * candidates.at(p, c));
      covered_.resize(probes_, 0);
    } else {
      // A sum does not depend on what was chosen before.
      sums_.resize(padded_, 1);
      for (std::size_t c = 0; c < count_; ++c) {
        double sum = 0;
        for (std::size_t p = 0; p < probes_; ++p) sum += candidates.at(p, c);
        sums_[c] = std::exp(options.sharpness * sum);
      }
    }
    if (!options.edges) return;
    adjacent_.resize(count_ * padded_, 0);
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = 0; b < count_; ++b)
        if (a != b && elements.connected(candidates.elements[a], candidates.elements[b])) adjacent_[a * padded_ + b] = 1;
    edge_sums_.resize(count_, 1);  // itself: exp(0)
  }

  std::vector<Selected> run() {
    std::vector<Selected> chosen;
    std::vector<char> taken(count_, 0);
    std::vector<double> gains(padded_);
    std::vector<double> links(padded_);
    const double edge = std::exp(options_.gamma);
    while (chosen.size() < std::min(options_.budget, count_)) {
      own_gains(gains, chosen.empty());
      if (options_.edges) multiply_link_gains(gains, links, chosen, edge);
      std::size_t best = count_;
      for (std::size_t c = 0; c < count_; ++c)
        if (taken[c] == 0 && (best == count_ || gains[c] > gains[best])) best = c;
      taken[best] = 1;
      chosen.push_back({best, std::log(gains[best])});
      take(best, edge);
    }
    return chosen;
  }

 private:
  static constexpr std::size_t lanes = 4;

  // exp of what each candidate adds to O1. The first one of all is measured against an empty set's sum of 1.
  void own_gains(std::vector<double>& gains, bool first) const {
    if (!options_.coverage) {
      gains = sums_;
      return;
    }
    std::fill(gains.begin(), gains.end(), 1.0);
    for (std::size_t p = 0; p < probes_; ++p) {
      const double scale = first ? 1.0 : 1.0 / covered_[p];
      const double* covers = covers_.data() + p * padded_;
      if (first) {
        for (std::size_t c = 0; c < padded_; ++c) gains[c] *= covers[c];
      } else {
        for (std::size_t c = 0; c < padded_; ++c) gains[c] *= 1 + covers[c] * scale;
      }
    }
  }

  void multiply_link_gains(std::vector<double>& gains, std::vector<double>& links, const std::vector<Selected>& chosen, double edge) const {
    std::fill(links.begin(), links.end(), 1.0);
    for (const auto& [d, gain] : chosen) {
      const double more = (edge - 1) / (edge_sums_[d] + 1);
      const double* adjacent = adjacent_.data() + d * padded_;
      for (std::size_t c = 0; c < padded_; ++c) links[c] *= 1 + adjacent[c] * more;
    }
    for (std::size_t c = 0; c < count_; ++c) {
      const double factor = links[c] * edge_sums_[c];
      gains[c] *= options_.lambda == 1 ? factor : std::pow(factor, options_.lambda);
    }
  }

  void take(std::size_t c, double edge) {
    for (std::size_t p = 0; p < covered_.size(); ++p) covered_[p] += covers_[p * padded_ + c];
    // T of the chosen and of those that may be chosen grow alike: each has one more term.
    for (std::size_t other = 0; other < edge_sums_.size(); ++other)
      if (other != c) edge_sums_[other] += adjacent_[c * padded_ + other] != 0 ? edge : 1;
  }

  const SelectionOptions& options_;
  std::size_t count_;
  std::size_t padded_;
  std::size_t probes_;
  std::vector<double> covers_;     // exp(s_kc), [probe][candidate]
  std::vector<double> covered_;    // S_k
  std::vector<double> sums_;       // without coverage: exp of the sum over the probes
  std::vector<double> adjacent_;   // 1 or 0, [candidate][candidate]
  std::vector<double> edge_sums_;  // T_d, of a candidate what it would be if it were chosen now
};

// The probes choose in turn; who chooses next is the probe that is covered least. An element's worth to a probe is its
// similarity, and gamma log(1 + how many chosen elements its table has).
std::vector<Selected> select_in_turns(const CandidateSet& candidates, const ElementSet& elements, const SelectionOptions& options) {
  const std::size_t count = candidates.elements.size();
  std::vector<Selected> chosen;
  std::vector<char> taken(count, 0);
  std::vector<int> of_table(elements.table_count(), 0);
  while (chosen.size() < std::min(options.budget, count)) {
    for (std::size_t p = 0; p < candidates.probe_count && chosen.size() < std::min(options.budget, count); ++p) {
      std::size_t best = count;
      double best_worth = 0;
      for (std::size_t c = 0; c < count; ++c) {
        if (taken[c] != 0) continue;
        const int same_table = of_table[elements.table_of(candidates.elements[c])];
        const double worth = candidates.at(p, c) + (options.edges ? options.gamma * std::log(1 + same_table) : 0);
        if (best != count && worth <= best_worth) continue;
        best = c;
        best_worth = worth;
      }
      taken[best] = 1;
      ++of_table[elements.table_of(candidates.elements[best])];
      chosen.push_back({best, best_worth});
    }
  }
  return chosen;
}

}  // namespace

std::vector<Selected> select_collectively(const CandidateSet& candidates, const ElementSet& elements, const SelectionOptions& options) {
  if (candidates.probe_count == 0) return {};
  if (options.take_turns) return select_in_turns(candidates, elements, options);
  return GreedySelection(candidates, elements, options).run();
}

}  // namespace trustsql::link
