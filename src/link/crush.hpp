// CRUSH4SQL's collective retrieval (3.2): from probes to a small set of elements that together cover them all.
//
//   candidates C(x)          the elements nearest to any probe           candidate_set()
//   entropy-guided similarity  Eq. 1, 2                                  entropy_guided()
//   coverage, connectivity   Eq. 3 to 5, and the greedy choice by Eq. 6  select_collectively()
//
// Each part can be switched off, as in the paper's ablations (Table 5).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "link/element.hpp"
#include "link/element_index.hpp"

namespace trustsql::link {

// The elements that retrieval chooses from, with their similarities to the probes.
struct CandidateSet {
  std::size_t probe_count = 0;
  std::vector<std::size_t> elements;  // element numbers, by decreasing largest cosine: the method "cosine"
  std::vector<float> similarity;      // [probe * elements.size() + candidate]: cosines at first
  std::vector<float> worth = {};      // of each candidate by itself, added to the objective; empty: none (the paper)

  float& at(std::size_t probe, std::size_t candidate) { return similarity[probe * elements.size() + candidate]; }
  float at(std::size_t probe, std::size_t candidate) const { return similarity[probe * elements.size() + candidate]; }
};

// C(x): the `limit` elements with the largest cosine to any of the probes (3.2.1). `cosines`: [element * stride +
// probe], where stride is at least probe_count.
CandidateSet candidate_set(std::span<const float> cosines, std::size_t probe_count, std::size_t stride,
                           std::size_t limit);
// The `limit` elements of the largest worth, each of which becomes that of the candidate.
CandidateSet candidates_by_worth(std::span<const float> cosines, std::size_t probe_count, std::size_t stride,
                                 std::span<const float> worth, std::size_t limit);

// Turns the cosines into s_kd (Eq. 2): (1 + cos) / 2, damped if the probe does not prefer some candidates to others,
// namely multiplied by sigmoid(mean entropy - its entropy). With `entropy` false only (1 + cos) / 2.
void entropy_guided(CandidateSet& candidates, bool entropy);

struct SelectionOptions {
  std::size_t budget = 100;
  bool coverage = true;        // false: a plain sum of similarities instead of the soft maximum
  bool edges = true;           // false: without Eq. 5
  bool declared_keys = false;  // only declared foreign keys are edges, not inferred ones
  // As in the paper's public code: of the probes that are not covered yet, that whose best element scores highest
  // chooses next, and is covered; when all are, all are uncovered again.
  bool take_turns = false;
  double lambda = 1;    // weight of O2 against O1 in Eq. 6
  double gamma = 0.01;  // e(d, d') of connected elements in Eq. 5
  // The factor b of the soft maximum in Eq. 3 and 5, (1 / b) log(sum of exp(b x)), which is 1 in the paper. The larger
  // it is, the closer this is to a maximum: at 1, with similarities between 0 and 1, it is little more than a count.
  double sharpness = 30;
};

struct Selected {
  std::size_t candidate;  // position in CandidateSet::elements
  // The increase of the objective times sharpness (with take_turns: its similarity to the probe whose turn it was, plus
  // gamma log(1 + the number of chosen elements of its table)).
  double gain;
};

// R(x): repeatedly chooses the candidate that adds most to O1 + lambda O2 (Eq. 6) + the sum of worths, until the budget
// is used up; the earlier one in case of ties.
std::vector<Selected> select_collectively(const CandidateSet& candidates, const ElementSet& elements,
                                          const SelectionOptions& options);

}  // namespace trustsql::link
