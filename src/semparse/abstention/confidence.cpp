#include "semparse/abstention/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "semparse/abstention/confidence_checks.hpp"
#include "semparse/evidence/evidence.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t choice_inputs_before_evidence = 7;
constexpr std::size_t confidence_inputs_before_choice = 7;
constexpr std::size_t result_inputs = 9;

float log_of(float probability) { return std::log(std::max(probability, 1e-4F)); }

float log_odds(float probability) {
  const float p = std::clamp(probability, 1e-4F, 1 - 1e-4F);
  return std::log(p / (1 - p));
}

// Whether two contenders returned the same rows, and any.
bool agree(const Contender& a, const Contender& b) {
  return a.outcome && b.outcome && a.outcome->rows > 0 && a.outcome->fingerprint == b.outcome->fingerprint;
}

// Keeps one of each value, and adds them up.
std::uint64_t sum_of_distinct(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return std::accumulate(values.begin(), values.end(), std::uint64_t{1});
}

// What the rows say by themselves, and how likely the readings are that return something of the same: the same distinct
// rows, the same first column, as many rows.
void add_result_inputs(std::span<const Contender> contenders, const Choice& choice, std::vector<float>& row) {
  constexpr float unknown = -1;
  const auto& best = contenders[choice.best];
  if (!best.outcome) {
    row.insert(row.end(), result_inputs, unknown);
    return;
  }
  const auto& outcome = *best.outcome;
  float same_set = 0;
  float same_firsts = 0;
  float same_count = 0;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const auto& other = contenders[i].outcome;
    if (!other) continue;
    const float p = choice.probabilities[i];
    if (other->distinct_rows == outcome.distinct_rows) same_set += p;
    if (other->distinct_firsts == outcome.distinct_firsts) same_firsts += p;
    if (other->rows == outcome.rows) same_count += p;
  }
  const float plural = best.checks.empty() ? unknown : best.checks.front();
  row.insert(row.end(), {outcome.repeated, outcome.first_distinct, outcome.first_type, same_set, same_firsts,
                         same_count, plural == 0 && outcome.rows > 1 ? 1.0F : 0.0F,
                         plural == 1 && outcome.rows == 1 ? 1.0F : 0.0F, outcome.rows == 0 ? 1.0F : 0.0F});
}

float rows_of(const Contender& contender) {
  constexpr std::size_t many = 20;
  return contender.outcome ? static_cast<float>(std::min(contender.outcome->rows, many)) : -1.0F;
}

}  // namespace

Outcome outcome_of(const ResultSet& result) {
  constexpr std::size_t most_rows = 10'000;  // of which distinct ones are told apart
  Outcome outcome{result.row_count()};
  const bool tells_rows = result.column_count() > 0 && result.row_count() <= most_rows;
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> firsts;
  for (std::size_t row = 0; row < result.row_count(); ++row) {
    std::uint64_t cells = 0;
    if (tells_rows) firsts.push_back(mix64(hash(result.at(row, 0), 1)));
    for (std::size_t column = 0; column < result.column_count(); ++column) {
      const auto cell = result.at(row, column);
      cells += mix64(hash(cell, 1));
      outcome.nulls &= cell.is_null();
    }
    outcome.fingerprint += mix64(cells);
    if (tells_rows) rows.push_back(mix64(cells));
  }
  if (tells_rows && !rows.empty()) {
    const auto count = static_cast<float>(rows.size());
    outcome.distinct_rows = sum_of_distinct(rows);
    outcome.distinct_firsts = sum_of_distinct(firsts);
    outcome.repeated = 1 - static_cast<float>(rows.size()) / count;
    outcome.first_distinct = static_cast<float>(firsts.size()) / count;
    outcome.first_type = 1 + static_cast<float>(result.at(0, 0).type);
  }
  outcome.fingerprint = mix64(outcome.fingerprint + result.column_count());
  return outcome;
}

std::vector<std::vector<float>> choice_inputs(std::span<const Contender> contenders) {
  std::vector<std::vector<float>> inputs;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const auto& contender = contenders[i];
    float mass = 0;
    int supporters = 0;
    for (std::size_t j = 0; j < contenders.size(); ++j) {
      if (i != j && !agree(contender, contenders[j])) continue;
      mass += contenders[j].probability;
      ++supporters;
    }
    auto& row = inputs.emplace_back();
    row.reserve(choice_input_count());
    row.push_back(log_of(contender.probability));
    row.push_back(static_cast<float>(i));
    row.push_back(log_of(mass));
    row.push_back(log_of(contender.probability / std::max(contenders.front().probability, 1e-6F)));
    row.push_back(static_cast<float>(supporters));
    row.push_back(rows_of(contender));
    row.push_back(contender.outcome && contender.outcome->nulls ? 1.0F : 0.0F);
    row.insert(row.end(), contender.evidence.begin(), contender.evidence.end());
  }
  return inputs;
}

std::vector<float> Choice::sorted_probabilities() const {
  auto sorted = probabilities;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

Choice choose(const TreeEnsemble& trees, const std::vector<std::vector<float>>& inputs) {
  Choice choice;
  for (const auto& row : inputs) choice.probabilities.push_back(trees.score(row));
  log_softmax(choice.probabilities);
  for (auto& probability : choice.probabilities) probability = std::exp(probability);
  const auto best = std::max_element(choice.probabilities.begin(), choice.probabilities.end());
  choice.best = static_cast<std::size_t>(best - choice.probabilities.begin());
  return choice;
}

std::vector<float> confidence_inputs(std::span<const Contender> contenders,
                                     const std::vector<std::vector<float>>& inputs, const Choice& choice) {
  const auto& best = contenders[choice.best];
  float mass = 0;
  float rival = 0;       // the strongest that returned other rows
  float rival_mass = 0;  // the most that any other rows have together
  float classes = 0;     // of rows that are likely enough
  float entropy = 0;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const float p = choice.probabilities[i];
    entropy -= p * std::log(p + 1e-9F);
    if (i == choice.best || agree(best, contenders[i]))
      mass += p;
    else
      rival = std::max(rival, p);
  }
  constexpr float likely = 0.03F;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    float same = 0;
    bool is_first = true;
    for (std::size_t j = 0; j < contenders.size(); ++j) {
      if (i != j && !agree(contenders[i], contenders[j])) continue;
      same += choice.probabilities[j];
      is_first &= j >= i;
    }
    if (!is_first) continue;
    if (same >= likely) ++classes;
    if (i != choice.best && !agree(best, contenders[i])) rival_mass = std::max(rival_mass, same);
  }
  std::vector<float> row = {log_odds(choice.probabilities[choice.best]), log_odds(mass),     log_of(rival), entropy,
                            static_cast<float>(contenders.size()),       log_of(rival_mass), classes};
  const auto& chosen = inputs[choice.best];
  row.insert(row.end(), chosen.begin(), chosen.end());
  add_result_inputs(contenders, choice, row);
  row.insert(row.end(), best.checks.begin(), best.checks.end());
  row.resize(confidence_input_count());  // trees name their inputs by number: never fewer
  return row;
}

std::size_t choice_input_count() { return choice_inputs_before_evidence + evidence_count; }
std::size_t confidence_input_count() {
  return confidence_inputs_before_choice + choice_input_count() + result_inputs + confidence_check_count;
}

}  // namespace trustsql::semparse
