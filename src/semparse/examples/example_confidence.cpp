#include "semparse/examples/example_confidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/value.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_chosen_from = 10;
constexpr float least_fit = -99;
constexpr float longest_lead = 12;

std::uint64_t seen_key(int family, std::uint64_t first, std::uint64_t second = 1) {
  return mix64(mix64(static_cast<std::uint64_t>(family) ^ mix64(first)) ^ second);
}

}  // namespace

FamilyVocabulary::FamilyVocabulary(const ExampleBank& bank) {
  for (const auto& pattern : bank.patterns()) {
    std::uint64_t before = 0;
    for (const int item : pattern.items) {
      const auto stem = item < 0 ? 0 : bank.stem(item);
      if (item >= 0) seen_.insert(seen_key(pattern.family, stem));
      seen_.insert(seen_key(pattern.family, before, stem));
      before = stem;
    }
  }
  constexpr float usual_share = 0.7F;
  for (const auto& family : bank.families()) {
    struct Count {
      float patterns = 0;
      float weight = 0;
    };
    std::map<std::uint64_t, Count> counts;
    for (const int number : family.patterns) {
      std::set<std::uint64_t> own;
      for (const int item : bank.pattern(number).items) {
        if (item < 0 || !own.insert(bank.stem(item)).second) continue;
        auto& count = counts[bank.stem(item)];
        count.patterns += 1;
        count.weight = std::max(count.weight, bank.word(item).weight);
      }
    }
    auto& usual = usual_.emplace_back();
    for (const auto& [stem, count] : counts) {
      const float share = count.patterns / static_cast<float>(family.patterns.size() + 1);
      if (share >= usual_share) usual.push_back({stem, share * count.weight});
    }
  }
}

bool FamilyVocabulary::has_word(int family, std::uint64_t stem) const {
  return seen_.count(seen_key(family, stem)) != 0;
}

bool FamilyVocabulary::has_pair(int family, std::uint64_t first, std::uint64_t second) const {
  return seen_.count(seen_key(family, first, second)) != 0;
}

namespace {

// The features of candidate `best`; `fits`: of all candidates that have a query.
std::vector<float> features_of(const QuestionForm& question, const std::vector<TemplateCandidate>& candidates,
                               const std::vector<float>& probabilities, const std::vector<FactorFit>& fits,
                               std::size_t best, const TemplateRanker& ranker, const FamilyVocabulary& vocabulary) {
  const auto& bank = question.bank();
  const auto& candidate = candidates[best];
  const auto& variant = bank.variant(candidate.variant);
  const auto log_odds = [](float p) { return std::log(std::max(p, 1e-6F) / std::max(1 - p, 1e-6F)); };
  float second = 0;
  float infeasible = 0;
  float infeasible_cost = 12;
  float other_cost = 12;         // of the cheapest other query
  float other_family_cost = 12;  // of the cheapest one of another family
  float cheapest = 12;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& other = candidates[i];
    if (other.infeasible()) {
      infeasible = probabilities[i];
      infeasible_cost = other.cost;
    }
    if (i == best) continue;
    second = std::max(second, probabilities[i]);
    cheapest = std::min(cheapest, other.cost);
    if (other.infeasible()) continue;
    other_cost = std::min(other_cost, other.cost);
    if (bank.variant(other.variant).family != variant.family)
      other_family_cost = std::min(other_family_cost, other.cost);
  }
  float extra = 0;
  float most_extra = 0;
  for (const auto at : candidate.alignment.extra) {
    extra += question.extra_cost(at);
    most_extra = std::max(most_extra, question.extra_cost(at));
  }
  float missing = 0;
  float most_missing = 0;
  for (const int word : candidate.alignment.missing) {
    missing += bank.word(word).weight;
    most_missing = std::max(most_missing, bank.word(word).weight);
  }
  float unknown = 0;
  float misfit = 0;
  float share = 1;
  std::size_t unknown_words = 0;
  float worst_edge = 0;  // of a text
  float worst_end = 0;   // how much the words that begin and end an unknown text are no such words
  for (std::size_t i = 0; i < candidate.values.size(); ++i) {
    const auto standing = candidate.values[i].standing;
    if (standing == ValueStanding::unknown) {
      unknown += 1;
      unknown_words = std::max(unknown_words, candidate.alignment.slots[i].size());
    }
    if (standing == ValueStanding::elsewhere || standing == ValueStanding::absent) misfit += 1;
    share = std::min(share, candidate.values[i].share);
    if (candidate.query(bank).slots[i].number) continue;
    const auto& span = candidate.alignment.slots[i];
    worst_edge = std::max(worst_edge, question.edge_cost(span.first, span.last));
    if (standing == ValueStanding::known) continue;
    worst_end = std::max({worst_end, question.outside_before(span.first), question.outside_after(span.last - 1)});
  }
  std::vector<bool> in_slot(question.words().size(), false);
  for (const auto& span : candidate.alignment.slots)
    for (auto at = span.first; at < span.last; ++at) in_slot[at] = true;
  float new_words = 0;
  float newest = 0;
  float new_pairs = 0;
  float pairs = 0;
  float never_asked = 0;
  std::uint64_t before = 0;
  bool slot_before = false;
  for (const auto at : question.readings()[candidate.reading].at) {
    if (in_slot[at]) {
      if (slot_before) continue;
      slot_before = true;
    } else {
      slot_before = false;
    }
    const auto stem = in_slot[at] ? 0 : question.stem(at);
    if (!in_slot[at]) {
      if (!vocabulary.has_word(variant.family, stem)) {
        new_words += 1;
        newest = std::max(newest, question.extra_cost(at));
      }
      const int word = bank.find_word(question.words()[at].text);
      if (word == -1 || bank.word(word).outside == 0) never_asked += 1;
    }
    pairs += 1;
    if (!vocabulary.has_pair(variant.family, before, stem)) new_pairs += 1;
    before = stem;
  }
  float usual_missing = 0;
  float most_usual_missing = 0;
  for (const auto& usual : vocabulary.usual_words(variant.family)) {
    bool found = false;
    for (std::size_t at = 0; at < question.words().size() && !found; ++at)
      found = !in_slot[at] && question.stem(at) == usual.stem;
    if (found) continue;
    usual_missing += usual.weight;
    most_usual_missing = std::max(most_usual_missing, usual.weight);
  }
  float words_cost = 0;  // of all words outside of slots
  for (const auto at : question.readings()[candidate.reading].at)
    if (!in_slot[at]) words_cost += question.extra_cost(at);
  const auto& fit = fits[best];
  float other_fit = least_fit;  // of the other query that fits best
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i != best && !candidates[i].infeasible()) other_fit = std::max(other_fit, fits[i].all);
  const auto p = probabilities[best];
  const auto clamp = [](float x) { return std::clamp(x, -12.0F, 12.0F); };
  return {
      clamp(log_odds(p)),
      clamp(std::log(std::max(p, 1e-6F) / std::max(second, 1e-6F))),
      clamp(std::log(std::max(p, 1e-6F) / std::max(infeasible, 1e-6F))),
      candidate.cost,
      clamp(cheapest - candidate.cost),
      clamp(other_cost - candidate.cost),
      clamp(other_family_cost - candidate.cost),
      clamp(infeasible_cost - candidate.cost),
      extra,
      most_extra,
      missing,
      most_missing,
      unknown,
      misfit,
      share,
      static_cast<float>(unknown_words),
      candidate.rule == -1 ? 0.0F : 1.0F,
      candidate.template_known ? 1.0F : 0.0F,
      clamp(candidate.rival_cost - candidate.cost),
      bank.family(variant.family).orders.share(candidate.query(bank).slots, candidate.alignment.slots),
      worst_edge,
      worst_end,
      std::log(1 + static_cast<float>(variant.count)),
      std::log(1 + static_cast<float>(bank.family(variant.family).patterns.size())),
      static_cast<float>(candidate.left_values.size()),
      static_cast<float>(candidate.left_numbers.size()),
      new_words,
      newest,
      new_pairs,
      new_pairs / std::max(pairs, 1.0F),
      never_asked,
      static_cast<float>(question.words().size()),
      static_cast<float>(question.phrases().size()),
      candidate.rule == -1
          ? 0.0F
          : std::log(static_cast<float>(bank.rules()[static_cast<std::size_t>(candidate.rule)].support)),
      static_cast<float>(candidate.alignment.slots.size()),
      fit.all,
      fit.present,
      fit.absent,
      clamp(fit.all - other_fit),
      fit.ideal,
      fit.all - fit.ideal,
      candidate.nearness,
      candidate.nearness - candidate.other_nearness,
      ranker.record(variant.family),
      usual_missing,
      most_usual_missing,
      candidate.cost / std::max(words_cost, 0.1F),
  };
}

// A row with what the choice says of it: the logarithm of its odds, and how far it is before the next.
std::vector<float> with_choice(const std::vector<std::vector<float>>& rows, const TreeEnsemble& trees,
                               std::size_t chosen) {
  std::vector<float> scores;
  for (const auto& row : rows) scores.push_back(trees.score(row));
  float next = scores[chosen] - longest_lead;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (i != chosen) next = std::max(next, scores[i]);
  const float lead = std::min(scores[chosen] - next, longest_lead);
  log_softmax(scores);
  const float p = std::clamp(std::exp(scores[chosen]), 1e-6F, 1 - 1e-6F);
  auto row = rows[chosen];
  row.push_back(std::log(p / (1 - p)));
  row.push_back(lead);
  return row;
}

std::size_t best_row(const std::vector<std::vector<float>>& rows, const TreeEnsemble& trees) {
  std::size_t best = 0;
  float most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float score = trees.score(rows[i]);
    if (i > 0 && score <= most) continue;
    best = i;
    most = score;
  }
  return best;
}

}  // namespace

CandidateStandings candidate_standings(const QuestionForm& question, const std::vector<TemplateCandidate>& candidates,
                                       const std::vector<float>& probabilities, const TemplateRanker& ranker,
                                       const FamilyVocabulary& vocabulary, const QueryFactors& factors) {
  CandidateStandings standings;
  auto& order = standings.candidates;
  std::vector<FactorFit> fits;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    fits.push_back(candidates[i].infeasible() ? FactorFit{} : factors.fit(question, candidates[i]));
    if (!candidates[i].infeasible()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  if (order.size() > max_chosen_from) order.resize(max_chosen_from);
  for (const auto i : order)
    standings.rows.push_back(features_of(question, candidates, probabilities, fits, i, ranker, vocabulary));
  return standings;
}

std::size_t ExampleConfidence::choose(const std::vector<std::vector<float>>& rows) const {
  return best_row(rows, choice);
}

double ExampleConfidence::probability(const std::vector<std::vector<float>>& rows, std::size_t chosen) const {
  return outcome.probability(with_choice(rows, choice, chosen));
}

ExampleConfidence learn_example_confidence(std::vector<HeldOutExample>& held_out) {
  constexpr std::size_t folds = 5;
  const BoostingOptions options{.trees = 120,
                                .depth = 4,
                                .rate = 0.08F,
                                .input_share = 0.5F,
                                .row_share = 0.8F,
                                .regularisation = 2,
                                .min_curvature = 1,
                                .min_rows = 8};
  const auto choice_without = [&](std::size_t fold) {
    Choices choices;
    for (const auto& each : held_out) {
      if (!each.answered || each.infeasible || each.group % folds == fold) continue;
      for (std::size_t i = 0; i < each.rows.size(); ++i) choices.add(each.rows[i], each.right_rows[i]);
      choices.end_list(each.weight);
    }
    return choices.ends.empty() ? TreeEnsemble() : boost_choices(choices, options);
  };
  ExampleConfidence learned;
  Outcomes outcomes;
  std::vector<std::uint64_t> groups;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const auto trees = choice_without(fold);
    for (auto& each : held_out) {
      if (!each.answered || each.group % folds != fold) continue;
      each.chosen = best_row(each.rows, trees);
      outcomes.add(with_choice(each.rows, trees, each.chosen), each.right(), each.weight);
      groups.push_back(each.group);
    }
  }
  learned.choice = choice_without(folds);
  auto outcome = learn_outcomes(outcomes, groups,
                                {.boosting = {.trees = 240,
                                              .depth = 5,
                                              .rate = 0.04F,
                                              .input_share = 0.5F,
                                              .row_share = 0.8F,
                                              .regularisation = 2,
                                              .min_curvature = 0,
                                              .min_rows = 30}});
  learned.outcome = std::move(outcome.model);
  std::size_t next = 0;
  for (std::size_t fold = 0; fold < folds; ++fold)
    for (auto& each : held_out)
      if (each.answered && each.group % folds == fold) each.confidence = outcome.held_out[next++];
  return learned;
}

}  // namespace trustsql::semparse
