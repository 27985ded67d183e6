#include "semparse/candidates.hpp"

#include <algorithm>
#include <numeric>

namespace trustsql::semparse {

namespace {

void keep_best(std::vector<Draft>& drafts, std::size_t count) {
  std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) { return a.score > b.score; });
  if (drafts.size() > count) drafts.resize(count);
}

// The best `count` drafts after a step; only these are made.
std::vector<Draft> take_step(Filling& filling, const Step& step, const std::vector<Draft>& drafts,
                             std::size_t branching, std::size_t count) {
  struct Next {
    std::size_t draft;
    Option option;
    float score;
  };
  std::vector<Next> next;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    for (auto& option : filling.options(step, drafts[i], branching)) {
      const float score = drafts[i].score + option.score;
      next.push_back({i, std::move(option), score});
    }
  std::stable_sort(next.begin(), next.end(), [](const Next& a, const Next& b) { return a.score > b.score; });
  if (next.size() > count) next.resize(count);
  std::vector<Draft> best;
  best.reserve(next.size());
  for (const auto& each : next) {
    best.push_back(drafts[each.draft]);
    filling.take(step, each.option, best.back());
  }
  return best;
}

std::vector<Draft> fill(Filling& filling, const Skeleton& skeleton, const CandidateOptions& options) {
  std::vector<Draft> drafts = {filling.start(skeleton)};
  // All uses of literals are kept until they are complete, since most of them are not what the skeleton needs.
  constexpr std::size_t max_uses = 64;
  for (const auto& step : filling.literal_steps())
    drafts = take_step(filling, step, drafts, options.branching, max_uses);
  std::erase_if(drafts, [&filling](const Draft& draft) { return !filling.consistent(draft); });
  constexpr std::size_t kept_uses = 4;
  keep_best(drafts, kept_uses);
  std::vector<Draft> filled;
  for (const auto& start : drafts) {
    std::vector<Draft> beam = {start};
    for (const auto& step : filling.later_steps(start))
      beam = take_step(filling, step, beam, options.branching, options.beam);
    filled.insert(filled.end(), beam.begin(), beam.end());
  }
  keep_best(filled, options.beam);
  return filled;
}

}  // namespace

std::vector<Candidate> find_candidates(const ParserModel& model, const QuestionView& view,
                                       const CandidateOptions& options) {
  const auto scores = score_skeletons(model, view);
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&scores](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  if (order.size() > options.skeletons) order.resize(options.skeletons);
  Filling filling(view, model.weights);
  std::vector<Candidate> candidates;
  for (const auto index : order) {
    for (auto& draft : fill(filling, model.skeletons[index].skeleton, options)) {
      Candidate candidate{filling.tree_of(draft), {}, scores[index], scores[index] + draft.score};
      candidate.draft = std::move(draft);
      candidates.push_back(std::move(candidate));
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  std::vector<Candidate> distinct;
  for (auto& candidate : candidates) {
    if (distinct.size() == options.candidates) break;
    const bool known = std::any_of(distinct.begin(), distinct.end(),
                                   [&](const Candidate& other) { return other.tree == candidate.tree; });
    if (!known) distinct.push_back(std::move(candidate));
  }
  return distinct;
}

}  // namespace trustsql::semparse
