#include "semparse/examples/query_factors.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "base/value.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_factors = 400;
constexpr std::size_t max_inputs = 8192;
constexpr double min_factor_patterns = 4;
constexpr std::size_t min_pair_patterns = 3;
constexpr int factor_epochs = 12;
constexpr float factor_rate = 0.1F;
constexpr std::uint64_t number_symbol = 3;
constexpr std::uint64_t text_symbol = 5;

std::vector<std::uint64_t> fragment_keys(const QueryTemplate& query) {
  std::vector<std::uint64_t> keys;
  std::uint64_t before = 1;
  for (const auto& token : query.tokens) {
    keys.push_back(token.key);
    keys.push_back(feature_key(before, token.key));
    before = token.key;
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

template <class Visit>
void each_input(const std::vector<std::uint64_t>& symbols, Visit visit) {
  std::uint64_t before = 7;
  for (const auto symbol : symbols) {
    visit(symbol, false);
    visit(feature_key(before, symbol), true);
    before = symbol;
  }
}

}  // namespace

QueryFactors::QueryFactors(const ExampleBank& bank) : bank_(bank) {
  // Fragments that the same variants have are one factor.
  std::unordered_map<std::uint64_t, std::uint64_t> owners;
  std::unordered_map<std::uint64_t, double> patterns;
  double total = 0;
  for (std::size_t i = 0; i < bank.variants().size(); ++i) {
    const auto& variant = bank.variants()[i];
    if (variant.count == 0) continue;
    total += static_cast<double>(variant.count);
    for (const auto key : fragment_keys(variant.query)) {
      owners[key] ^= mix64(i + 1);
      patterns[key] += static_cast<double>(variant.count);
    }
  }
  std::map<std::uint64_t, std::uint64_t> keys;  // of owners: one of their fragments
  for (const auto& [key, owner] : owners) {
    const auto [entry, is_new] = keys.try_emplace(owner, key);
    if (!is_new) entry->second = std::min(entry->second, key);
  }
  struct Factor {
    double spread;
    std::uint64_t key;
  };
  std::vector<Factor> factors;
  for (const auto& [owner, key] : keys) {
    const double share = patterns[key] / std::max(total, 1.0);
    if (patterns[key] < min_factor_patterns || total - patterns[key] < min_factor_patterns) continue;
    factors.push_back({share * (1 - share), key});
  }
  std::sort(factors.begin(), factors.end(), [](const Factor& a, const Factor& b) {
    return a.spread != b.spread ? a.spread > b.spread : a.key < b.key;
  });
  if (factors.size() > max_factors) factors.resize(max_factors);
  for (const auto& factor : factors) numbers_.emplace(factor.key, numbers_.size());
  count_ = numbers_.size();
  number_inputs();
  weights_.assign((inputs_.size() + 1) * count_, 0.0F);
}

std::vector<std::uint64_t> QueryFactors::symbols_of(const BankPattern& pattern) const {
  std::vector<std::uint64_t> symbols;
  const auto& slots = bank_.variant(pattern.variant).query.slots;
  for (const int item : pattern.items) {
    if (item < 0)
      symbols.push_back(slots[static_cast<std::size_t>(-1 - item)].number ? number_symbol : text_symbol);
    else
      symbols.push_back(bank_.stem(item));
  }
  return symbols;
}

void QueryFactors::number_inputs() {
  std::map<std::uint64_t, std::size_t> seen;
  std::map<std::uint64_t, std::size_t> pairs;
  for (const auto& pattern : bank_.patterns()) {
    if (pattern.variant == -1) continue;
    each_input(symbols_of(pattern), [&](std::uint64_t key, bool pair) { ++(pair ? pairs : seen)[key]; });
  }
  const auto add = [this](const std::map<std::uint64_t, std::size_t>& keys, std::size_t fewest) {
    for (const auto& [key, times] : keys)
      if (times >= fewest && inputs_.size() + 1 < max_inputs) inputs_.emplace(key, inputs_.size() + 1);
  };
  add(seen, 1);
  add(pairs, min_pair_patterns);
}

std::vector<std::size_t> QueryFactors::inputs_of(const std::vector<std::uint64_t>& symbols) const {
  std::vector<std::size_t> inputs = {0};
  each_input(symbols, [&](std::uint64_t key, bool) {
    if (const auto entry = inputs_.find(key); entry != inputs_.end()) inputs.push_back(entry->second);
  });
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

std::vector<bool> QueryFactors::factors_of(const QueryTemplate& query) const {
  std::vector<bool> has(count_, false);
  for (const auto key : fragment_keys(query))
    if (const auto entry = numbers_.find(key); entry != numbers_.end()) has[entry->second] = true;
  return has;
}

void QueryFactors::learn(const std::function<bool()>& stopped) {
  std::vector<float> squares(weights_.size(), 1e-3F);
  struct Lesson {
    std::vector<std::size_t> inputs;
    int variant;
  };
  std::vector<Lesson> lessons;
  std::unordered_map<int, std::vector<bool>> factors;
  for (const auto& pattern : bank_.patterns()) {
    if (pattern.variant == -1) continue;
    lessons.push_back({inputs_of(symbols_of(pattern)), pattern.variant});
    if (factors.count(pattern.variant) == 0)
      factors[pattern.variant] = factors_of(bank_.variant(pattern.variant).query);
  }
  Random random(31);
  std::vector<float> scores(count_);
  for (int epoch = 0; epoch < factor_epochs; ++epoch) {
    for (std::size_t i = lessons.size(); i > 1; --i) std::swap(lessons[i - 1], lessons[random.below(i)]);
    for (const auto& lesson : lessons) {
      if (stopped && stopped()) return;
      std::fill(scores.begin(), scores.end(), 0.0F);
      for (const auto input : lesson.inputs)
        for (std::size_t f = 0; f < count_; ++f) scores[f] += weights_[input * count_ + f];
      const auto& has = factors[lesson.variant];
      for (std::size_t f = 0; f < count_; ++f) scores[f] = (has[f] ? 1.0F : 0.0F) - logistic(scores[f]);
      for (const auto input : lesson.inputs) {
        for (std::size_t f = 0; f < count_; ++f) {
          const auto at = input * count_ + f;
          squares[at] += scores[f] * scores[f];
          weights_[at] += factor_rate * scores[f] / std::sqrt(squares[at]);
        }
      }
    }
  }
}

FactorFit QueryFactors::fit(const QuestionForm& question, const TemplateCandidate& candidate) const {
  std::vector<std::uint64_t> symbols;
  const auto& query = candidate.query(bank_);
  std::vector<int> slot_of(question.words().size(), -1);
  for (std::size_t s = 0; s < candidate.alignment.slots.size(); ++s)
    for (auto at = candidate.alignment.slots[s].first; at < candidate.alignment.slots[s].last; ++at)
      slot_of[at] = static_cast<int>(s);
  int before = -1;
  for (const auto at : question.readings()[candidate.reading].at) {
    const int slot = slot_of[at];
    if (slot == -1)
      symbols.push_back(question.stem(at));
    else if (slot != before)
      symbols.push_back(query.slots[static_cast<std::size_t>(slot)].number ? number_symbol : text_symbol);
    before = slot;
  }
  std::vector<float> scores(count_, 0.0F);
  for (const auto input : inputs_of(symbols))
    for (std::size_t f = 0; f < count_; ++f) scores[f] += weights_[input * count_ + f];
  const auto has = factors_of(query);
  FactorFit fit;
  for (std::size_t f = 0; f < count_; ++f) {
    const float log = std::log(std::max(logistic(has[f] ? scores[f] : -scores[f]), 1e-6F));
    fit.all += log;
    fit.ideal += std::log(logistic(std::fabs(scores[f])));
    auto& least = has[f] ? fit.present : fit.absent;
    least = std::min(least, log);
  }
  return fit;
}

}  // namespace trustsql::semparse
