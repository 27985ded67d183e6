#include "semparse/examples/template_ranking.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/random.hpp"
#include "base/value.hpp"
#include "semparse/examples/order_free.hpp"

namespace trustsql::semparse {

namespace {

// The value of a pair of a word and a fragment: a candidate has a thousand of them, which all move together.
constexpr float pair_value = 0.1F;

constexpr float edit_value = 0.5F;  // of a single word
constexpr std::size_t max_exchanges = 12;

// Room for the features of `patterns` examples with few collisions.
std::size_t ranking_weights(std::size_t patterns) {
  return std::bit_ceil(std::clamp<std::size_t>(patterns * 1000, std::size_t{1} << 14, std::size_t{1} << 22));
}

enum class Other : std::uint8_t {
  bias,
  cost,
  squared_cost,
  extra,
  missing,
  unknown,
  elsewhere,
  absent,
  share,
  derived,
  count,
  left_value,
  left_number,
  cheapest,
  infeasible,
  timed
};

}  // namespace

TemplateRanker::TemplateRanker(const ExampleBank& bank)
    : bank_(bank), weights_(ranking_weights(bank.patterns().size())), records_(bank.families().size()) {}

float TemplateRanker::record(int family) const {
  const auto& record = records_[static_cast<std::size_t>(family)];
  return (record.right + 1) / (record.likeliest + 2);
}

// Tokens have the low bit 0: they go with neighbours in the question as well.
std::vector<std::uint64_t> TemplateRanker::fragments(const TemplateCandidate& candidate) const {
  std::vector<std::uint64_t> keys;
  if (candidate.infeasible()) return {feature_key(90), feature_key(91) | 1};
  const auto& query = candidate.query(bank_);
  std::uint64_t before = 1;
  for (const auto& token : query.tokens) {
    keys.push_back(mix64(token.key) << 1);
    keys.push_back(feature_key(before, token.key) | 1);
    before = token.key;
  }
  keys.push_back(hash_bytes(query.key, 11) << 1);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::vector<TemplateRanker::CandidateFeatures> TemplateRanker::features(
    const QuestionForm& question, const std::vector<TemplateCandidate>& candidates) const {
  std::vector<CandidateFeatures> all(candidates.size());
  std::vector<std::vector<std::uint64_t>> fragments_of(candidates.size());
  std::unordered_map<std::uint64_t, std::size_t> counts;
  float cheapest = 1e9F;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    fragments_of[i] = fragments(candidates[i]);
    for (const auto key : fragments_of[i]) ++counts[key];
    if (!candidates[i].infeasible()) cheapest = std::min(cheapest, candidates[i].cost);
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& candidate = candidates[i];
    // What all candidates have decides nothing.
    std::erase_if(fragments_of[i], [&](std::uint64_t key) { return counts[key] == candidates.size(); });
    const auto& words = question.words();
    std::vector<int> slot_of(words.size(), -1);
    for (std::size_t s = 0; s < candidate.alignment.slots.size(); ++s)
      for (auto at = candidate.alignment.slots[s].first; at < candidate.alignment.slots[s].last; ++at)
        slot_of[at] = static_cast<int>(s);
    std::vector<std::uint64_t> symbols;
    int last_slot = -1;
    for (const auto at : question.readings()[candidate.reading].at) {
      if (slot_of[at] != -1) {
        if (slot_of[at] != last_slot) {
          const auto& slot = candidate.query(bank_).slots[static_cast<std::size_t>(slot_of[at])];
          symbols.push_back(feature_key(5, slot.number ? 1 : 0));
        }
      } else {
        symbols.push_back(feature_key(6, question.stem(at)));
      }
      last_slot = slot_of[at];
    }
    all[i].identity = candidate.infeasible() ? feature_key(92) : hash_bytes(candidate.query(bank_).key, 12);
    all[i].symbols = std::move(symbols);
    all[i].fragments = std::move(fragments_of[i]);
    auto& others = all[i].others;
    const auto add = [&](Other kind, float value) {
      if (value != 0)
        others.push_back({feature_key(77, static_cast<int>(kind), candidate.infeasible() ? 1 : 0), value});
    };
    float extra = 0;
    for (const auto at : candidate.alignment.extra) {
      const int id = bank_.find_word(words[at].text);
      extra += id == -1 ? 1 : bank_.word(id).weight;
    }
    float missing = 0;
    for (const int word : candidate.alignment.missing) missing += bank_.word(word).weight;
    // What single words cost that one side has alone, and what it means that one stands for another.
    for (const auto at : candidate.alignment.extra) others.push_back({feature_key(88, question.stem(at)), edit_value});
    for (const int word : candidate.alignment.missing)
      others.push_back({feature_key(89, bank_.stem(word)), edit_value});
    if (candidate.alignment.extra.size() * candidate.alignment.missing.size() <= max_exchanges)
      for (const auto at : candidate.alignment.extra)
        for (const int word : candidate.alignment.missing)
          others.push_back({feature_key(90, question.stem(at), bank_.stem(word)), edit_value});
    add(Other::bias, candidate.infeasible() ? 1 : 0);
    add(Other::cost, candidate.cost);
    add(Other::squared_cost, candidate.cost * candidate.cost / 4);
    add(Other::extra, extra);
    add(Other::missing, missing);
    for (const auto& value : candidate.values) {
      add(Other::unknown, value.standing == ValueStanding::unknown ? 1 : 0);
      add(Other::elsewhere, value.standing == ValueStanding::elsewhere ? 1 : 0);
      add(Other::absent, value.standing == ValueStanding::absent ? 1 : 0);
      add(Other::share, 1 - value.share);
    }
    add(Other::derived, candidate.rule == -1 ? 0 : 1);
    if (!candidate.infeasible())
      add(Other::count, std::log(1 + static_cast<float>(bank_.variant(candidate.variant).count)) / 3);
    add(Other::left_value, static_cast<float>(candidate.left_values.size()));
    add(Other::left_number, static_cast<float>(candidate.left_numbers.size()));
    add(Other::cheapest, candidate.cost <= cheapest ? 1 : 0);
    add(Other::timed, question.readings()[candidate.reading].without_times || candidate.infeasible() ? 0 : 1);
  }
  return all;
}

// The indexes of the weights for words and fragments.
template <class Visit>
void TemplateRanker::each_pair(const CandidateFeatures& features, Visit visit) const {
  std::uint64_t before = 7;
  std::uint64_t before_pair = 7;
  for (const auto symbol : features.symbols) {
    for (const auto fragment : features.fragments) visit(weights_.index(mix64(symbol ^ fragment)));
    const auto pair = feature_key(before, symbol);
    for (const auto fragment : features.fragments)
      if ((fragment & 1) == 0) visit(weights_.index(mix64(pair ^ fragment)));
    const auto triple = feature_key(before_pair, symbol);
    visit(weights_.index(mix64(triple ^ features.identity)));
    before = symbol;
    before_pair = pair;
  }
}

float TemplateRanker::score(const CandidateFeatures& features) const {
  float pairs = 0;
  each_pair(features, [&](std::size_t index) { pairs += weights_.weights()[index]; });
  return weights_.score(features.others) + pair_value * pairs;
}

std::vector<float> TemplateRanker::probabilities(const QuestionForm& question,
                                                 const std::vector<TemplateCandidate>& candidates) const {
  std::vector<float> scores;
  for (const auto& each : features(question, candidates)) scores.push_back(score(each));
  log_softmax(scores);
  for (auto& value : scores) value = std::exp(value);
  return scores;
}

void TemplateRanker::learn(const std::function<std::string_view(std::size_t)>& question,
                           const std::function<std::string(std::size_t)>& sql, const RankingOptions& options,
                           const std::function<bool()>& stopped) {
  // A first guess, before anything is learned: the cheaper the likelier.
  weights_.weights()[weights_.index(feature_key(77, static_cast<int>(Other::cost), 0))] = -1;
  weights_.weights()[weights_.index(feature_key(77, static_cast<int>(Other::cost), 1))] = -1;
  Learner learner(weights_, options.rate);
  Random random(options.seed);
  TemplateLimits limits;
  limits.patterns = 60;
  limits.variants = 10;
  limits.derived = 6;
  struct Lesson {
    std::vector<CandidateFeatures> candidates{};
    std::vector<bool> right{};
    std::vector<int> families{};  // -1: of no query
  };
  std::vector<Lesson> lessons;
  const auto& patterns = bank_.patterns();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (stopped && stopped()) return;
    const auto& pattern = patterns[i];
    const bool hidden = random.uniform() < options.hidden_share;
    const Exclusion exclusion{static_cast<int>(i), hidden ? pattern.variant : -1};
    const QuestionForm form(question(pattern.example), bank_, nullptr);
    const auto candidates = find_template_candidates(form, limits, exclusion);
    const QueryMatcher gold(pattern.variant == -1 ? std::string() : sql(pattern.example));
    Lesson lesson;
    bool any = false;
    for (const auto& each : candidates) {
      lesson.right.push_back(each.infeasible() ? pattern.variant == -1
                                               : pattern.variant != -1 && gold.matches(each.sql));
      any = any || lesson.right.back();
      lesson.families.push_back(each.infeasible() ? -1 : bank_.variant(each.variant).family);
    }
    if (!any || candidates.size() < 2) continue;
    lesson.candidates = features(form, candidates);
    lessons.push_back(std::move(lesson));
  }
  std::vector<float> scores;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::size_t i = lessons.size(); i > 1; --i) std::swap(lessons[i - 1], lessons[random.below(i)]);
    for (const auto& lesson : lessons) {
      if (stopped && stopped()) return;
      scores.clear();
      for (const auto& each : lesson.candidates) scores.push_back(score(each));
      log_softmax(scores);
      const auto best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
      if (lesson.families[best] != -1) {
        auto& record = records_[static_cast<std::size_t>(lesson.families[best])];
        record.likeliest += 1;
        if (lesson.right[best]) record.right += 1;
      }
      float mass = 0;
      for (std::size_t c = 0; c < scores.size(); ++c)
        if (lesson.right[c]) mass += std::exp(scores[c]);
      for (std::size_t c = 0; c < scores.size(); ++c) {
        const float p = std::exp(scores[c]);
        const float gradient = (lesson.right[c] ? p / std::max(mass, 1e-9F) : 0) - p;
        if (std::fabs(gradient) < 1e-3F) continue;
        learner.update(lesson.candidates[c].others, gradient);
        each_pair(lesson.candidates[c],
                  [&](std::size_t index) { learner.update(std::uint64_t{index}, gradient * pair_value); });
      }
    }
  }
}

}  // namespace trustsql::semparse
