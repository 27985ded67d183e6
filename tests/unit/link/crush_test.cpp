// Collective retrieval against the paper's equations, written down naively.
#include "link/crush.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "unit/link/connected.hpp"

namespace trustsql::link {
namespace {

// `count` elements in tables of five, every table's first column joined with the one before.
ElementSet some_elements(std::size_t count) {
  ElementSet elements;
  for (std::size_t i = 0; i < count; ++i) elements.add({"", "t" + std::to_string(i / 5), "c" + std::to_string(i)});
  for (std::size_t i = 5; i < count; i += 5) elements.connect(i, i - 5);
  return elements;
}

CandidateSet random_candidates(std::size_t count, std::size_t probes, std::uint64_t seed) {
  Random random(seed);
  CandidateSet set{.probe_count = probes,
                   .elements = std::vector<std::size_t>(count),
                   .similarity = std::vector<float>(count * probes)};
  std::iota(set.elements.begin(), set.elements.end(), std::size_t{0});
  for (float& s : set.similarity) s = static_cast<float>(2 * random.uniform() - 1);
  return set;
}

// Eq. 3 with its sharpness.
double smx(const std::vector<double>& values, double sharpness) {
  double sum = 0;
  for (const double value : values) sum += std::exp(sharpness * value);
  return std::log(sum) / sharpness;
}

// O1 + lambda O2 (Eq. 3 to 6) of a set of candidates, and their worths.
double objective(const CandidateSet& set, const ElementSet& elements, const std::vector<std::size_t>& chosen,
                 const SelectionOptions& options) {
  double value = 0;
  for (std::size_t k = 0; k < set.probe_count; ++k) {
    std::vector<double> similarities;
    for (const auto d : chosen) similarities.push_back(set.at(k, d));
    value += options.coverage ? smx(similarities, options.sharpness)
                              : std::accumulate(similarities.begin(), similarities.end(), 0.0);
  }
  for (const auto d : chosen) {
    if (!set.worth.empty()) value += set.worth[d];
    if (!options.edges) continue;
    std::vector<double> edges;
    for (const auto other : chosen) {
      const bool joined = d != other && connected(elements, set.elements[d], set.elements[other]);
      edges.push_back(joined ? options.gamma : 0.0);
    }
    value += options.lambda * smx(edges, options.sharpness);
  }
  return value;
}

std::vector<std::size_t> greedy(const CandidateSet& set, const ElementSet& elements, const SelectionOptions& options) {
  std::vector<std::size_t> chosen;
  while (chosen.size() < std::min(options.budget, set.elements.size())) {
    std::size_t best = set.elements.size();
    double best_value = 0;
    for (std::size_t c = 0; c < set.elements.size(); ++c) {
      if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
      auto extended = chosen;
      extended.push_back(c);
      const double value = objective(set, elements, extended, options);
      if (best != set.elements.size() && value <= best_value) continue;
      best = c;
      best_value = value;
    }
    chosen.push_back(best);
  }
  return chosen;
}

std::vector<std::size_t> chosen_of(const std::vector<Selected>& selected) {
  std::vector<std::size_t> chosen;
  for (const auto& selection : selected) chosen.push_back(selection.candidate);
  return chosen;
}

TEST(Crush, GreedyChoiceIsThatOfTheEquations) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const std::size_t probes : {1U, 3U, 8U}) {
      const auto elements = some_elements(23);
      auto set = random_candidates(23, probes, seed);
      entropy_guided(set, true);
      if (seed == 2)
        for (std::size_t c = 0; c < 23; ++c) set.worth.push_back(set.at(0, (c * 7) % 23) / 2);
      for (const SelectionOptions& options :
           {SelectionOptions{.budget = 23}, SelectionOptions{.budget = 23, .sharpness = 1},
            SelectionOptions{.budget = 23, .gamma = 0.5, .sharpness = 3},
            SelectionOptions{.budget = 23, .gamma = 0.02, .sharpness = 50},
            SelectionOptions{.budget = 23, .lambda = 50, .gamma = 0.3}, SelectionOptions{.budget = 23, .edges = false},
            SelectionOptions{.budget = 23, .coverage = false},
            SelectionOptions{.budget = 23, .lambda = 2.5, .gamma = 0.3}, SelectionOptions{.budget = 7}}) {
        EXPECT_EQ(chosen_of(select_collectively(set, elements, options)), greedy(set, elements, options))
            << seed << " " << probes << " " << options.sharpness << " " << options.gamma;
      }
    }
  }
}

// With the sharpness in Eq. 5 as well, a foreign key decides between two equal candidates, and more if gamma is larger.
TEST(Crush, EdgesCountAtEverySharpness) {
  ElementSet elements;
  for (const std::string table : {"a", "b", "c"}) elements.add({"", table, "x"});
  elements.connect(0, 2);
  for (const double sharpness : {1.0, 30.0, 200.0}) {
    // Candidate 1 is a little more similar than 2, which is joined with the one that is chosen first.
    const double ahead = 0.002;
    const CandidateSet set{
        .probe_count = 1, .elements = {0, 1, 2}, .similarity = {0.9F, static_cast<float>(0.5 + ahead), 0.5F}};
    const auto chosen = [&](const SelectionOptions& options) {
      return chosen_of(select_collectively(set, elements, options));
    };
    EXPECT_EQ(chosen({.budget = 2, .gamma = 0.01, .sharpness = sharpness}), (std::vector<std::size_t>{0, 2}))
        << sharpness;
    EXPECT_EQ(chosen({.budget = 2, .edges = false, .sharpness = sharpness}), (std::vector<std::size_t>{0, 1}))
        << sharpness;
  }
}

TEST(Crush, OnlyDeclaredKeysIfAsked) {
  ElementSet elements;
  for (const std::string table : {"a", "b", "c"}) elements.add({"", table, "x"});
  elements.connect_inferred(0, 2);
  const CandidateSet set{.probe_count = 1, .elements = {0, 1, 2}, .similarity = {0.9F, 0.502F, 0.5F}};
  SelectionOptions options{.budget = 2, .gamma = 1};
  EXPECT_EQ(chosen_of(select_collectively(set, elements, options)), (std::vector<std::size_t>{0, 2}));
  options.declared_keys = true;
  EXPECT_EQ(chosen_of(select_collectively(set, elements, options)), (std::vector<std::size_t>{0, 1}));
}

// Many probes and a large sharpness: exp() of the objective is no number, the choice is still that of the equations.
TEST(Crush, NothingOverflows) {
  const auto elements = some_elements(20);
  auto set = random_candidates(20, 100, 4);
  for (float& s : set.similarity) s = 0.9F + 0.1F * s;
  const SelectionOptions options{.budget = 20, .sharpness = 200};
  const auto selected = select_collectively(set, elements, options);
  EXPECT_EQ(chosen_of(selected), greedy(set, elements, options));
  for (const auto& [candidate, gain] : selected) EXPECT_TRUE(std::isfinite(gain));
  EXPECT_EQ(select_collectively(set, elements, {.budget = 20, .lambda = 1000, .gamma = 10, .sharpness = 200}).size(),
            20U);
}

TEST(Crush, EntropyGuidedSimilarityIsEq2) {
  auto set = random_candidates(11, 4, 5);
  const auto cosines = set;
  entropy_guided(set, true);
  std::vector<double> entropies;
  for (std::size_t k = 0; k < 4; ++k) {
    double total = 0;
    for (std::size_t d = 0; d < 11; ++d) total += 0.5 * (1 + cosines.at(k, d));
    double entropy = 0;
    for (std::size_t d = 0; d < 11; ++d) {
      const double share = 0.5 * (1 + cosines.at(k, d)) / total;
      entropy -= share * std::log(share);
    }
    entropies.push_back(entropy);
  }
  const double mean = std::accumulate(entropies.begin(), entropies.end(), 0.0) / 4;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t d = 0; d < 11; ++d)
      EXPECT_NEAR(set.at(k, d), 0.5 * (1 + cosines.at(k, d)) / (1 + std::exp(-(mean - entropies[k]))), 1e-6);

  auto plain = cosines;
  entropy_guided(plain, false);
  EXPECT_NEAR(plain.at(2, 3), 0.5 * (1 + cosines.at(2, 3)), 1e-6);
}

TEST(Crush, CandidatesHaveTheLargestCosineToAnyProbe) {
  // Three elements, two probes.
  const std::vector<float> cosines = {0.1F, 0.2F, 0.9F, -0.5F, 0.3F, 0.8F};
  const auto set = candidate_set(cosines, 2, 2, 2);
  EXPECT_EQ(set.elements, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(set.at(0, 0), 0.9F);
  EXPECT_EQ(set.at(1, 0), -0.5F);
  EXPECT_EQ(set.at(1, 1), 0.8F);
  // Of the first probe alone.
  EXPECT_EQ(candidate_set(cosines, 1, 2, 2).elements, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(candidate_set(cosines, 1, 2, 2).at(0, 1), 0.3F);
  const auto by_worth = candidates_by_worth(cosines, 2, 2, std::vector<float>{3, 1, 2}, 2);
  EXPECT_EQ(by_worth.elements, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(by_worth.worth, (std::vector<float>{3, 2}));
  EXPECT_TRUE(candidate_set({}, 0, 0, 5).elements.empty());
  EXPECT_EQ(candidate_set(cosines, 2, 2, 100).elements.size(), 3U);
}

TEST(Crush, CoverageKeepsOneProbeFromTakingAll) {
  // Probe 0 is similar to candidates 0 to 3, probe 1 only to the last, and less so.
  CandidateSet set{.probe_count = 2,
                   .elements = {0, 1, 2, 3, 4},
                   .similarity = {0.9F, 0.89F, 0.88F, 0.87F, 0.1F, 0.3F, 0.3F, 0.3F, 0.3F, 0.6F}};
  const auto elements = some_elements(5);
  EXPECT_EQ(chosen_of(select_collectively(set, elements, {.budget = 2})), (std::vector<std::size_t>{0, 4}));
  EXPECT_EQ(chosen_of(select_collectively(set, elements, {.budget = 2, .coverage = false})),
            (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(chosen_of(select_collectively(set, elements, {.budget = 3, .take_turns = true})),
            (std::vector<std::size_t>{0, 4, 1}));
}

// The uncovered probe whose best element scores highest goes next, whatever the order of the probes.
TEST(Crush, Turns) {
  CandidateSet set{.probe_count = 3,
                   .elements = {0, 1, 2, 3, 4},
                   .similarity = {0.5F, 0.4F, 0.1F, 0.1F, 0.1F,     // probe 0
                                  0.2F, 0.9F, 0.8F, 0.1F, 0.1F,     // probe 1
                                  0.6F, 0.85F, 0.1F, 0.7F, 0.3F}};  // probe 2
  ElementSet elements;
  for (int i = 0; i < 5; ++i) elements.add({"", "t" + std::to_string(i), "c"});
  // Probe 1 takes 1; of the others probe 2 has the best left (3), then probe 0 takes 0; then 1 again.
  EXPECT_EQ(chosen_of(select_collectively(set, elements, {.budget = 5, .take_turns = true})),
            (std::vector<std::size_t>{1, 3, 0, 2, 4}));
  // A chosen element of its table adds gamma log 2: candidate 0 now beats candidate 3 for probe 2.
  ElementSet same_table;
  for (const std::string table : {"t", "t", "u", "v", "w"})
    same_table.add({"", table, std::to_string(same_table.size())});
  EXPECT_EQ(chosen_of(select_collectively(set, same_table, {.budget = 2, .take_turns = true, .gamma = 0.2})),
            (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(
      chosen_of(select_collectively(set, same_table, {.budget = 2, .edges = false, .take_turns = true, .gamma = 0.2})),
      (std::vector<std::size_t>{1, 3}));
}

TEST(Crush, NothingToChooseFrom) {
  const auto elements = some_elements(5);
  EXPECT_TRUE(select_collectively({}, elements, {}).empty());
  CandidateSet none{.probe_count = 1, .elements = {}, .similarity = {}};
  entropy_guided(none, true);
  EXPECT_TRUE(select_collectively(none, elements, {}).empty());
  EXPECT_TRUE(select_collectively(none, elements, {.take_turns = true}).empty());
  EXPECT_TRUE(select_collectively(random_candidates(5, 2, 1), elements, {.budget = 0}).empty());
}

}  // namespace
}  // namespace trustsql::link
