#include "semparse/candidates.hpp"

#include <algorithm>

#include "semparse/cues.hpp"
#include "semparse/question_cues.hpp"
#include "semparse/tree_sql.hpp"

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

// Whether the question licenses the form: a count is asked for with a word for it.
bool is_licensed(const Skeleton& skeleton, const Question& question) {
  const auto counts = [](const SelectPart& part) { return part.aggregate == Aggregate::count; };
  return std::none_of(skeleton.select.begin(), skeleton.select.end(), counts) ||
         has_cue(question, AskedCue::count, false);
}

// Whether the question licenses what is counted: "how many seats" asks for a stored number, and only "how many
// different seats" counts such numbers.
bool is_licensed(const Tree& tree, const QuestionView& view, bool distinct_is_asked) {
  const auto counts_amounts = [&view](const Term& term) {
    if (term.aggregate != Aggregate::count || term.column == nothing) return false;
    const auto& column = view.domain().column(term.column);
    return column.kind == DataKind::number && !column.is_id && !column.is_key && !column.is_foreign;
  };
  return distinct_is_asked || std::none_of(tree.block.select.begin(), tree.block.select.end(), counts_amounts);
}

// Whether a set operation has the same query on both sides, which nobody asks for.
bool is_idle(const Tree& tree) {
  return tree.operation != SetOperation::none && !tree.other.empty() && tree.other.front() == tree.block;
}

}  // namespace

std::vector<Candidate> find_candidates(const ParserModel& model, const QuestionView& view,
                                       const CandidateOptions& options) {
  const auto scores = score_skeletons(model, view);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (is_licensed(model.skeletons[i].skeleton, view.question())) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&scores](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  if (order.size() > options.skeletons) order.resize(options.skeletons);
  const auto cues = find_cues(view.question());
  const bool distinct_is_asked =
      std::any_of(cues.begin(), cues.end(), [](const CueMention& mention) { return mention.cue == Cue::distinct; });
  Filling filling(view, model.weights);
  std::vector<Candidate> candidates;
  for (const auto index : order) {
    for (auto& draft : fill(filling, model.skeletons[index].skeleton, options)) {
      Candidate candidate{filling.tree_of(draft), {}, {}, scores[index], scores[index] + draft.score};
      if (is_idle(candidate.tree) || !is_licensed(candidate.tree, view, distinct_is_asked)) continue;
      candidate.draft = std::move(draft);
      candidates.push_back(std::move(candidate));
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  std::vector<Candidate> distinct;
  for (auto& candidate : candidates) {
    if (distinct.size() == options.candidates) break;
    auto sql = sql_of(view.domain(), candidate.tree);
    if (!sql ||
        std::any_of(distinct.begin(), distinct.end(), [&](const Candidate& other) { return other.sql == *sql; }))
      continue;
    candidate.sql = std::move(*sql);
    distinct.push_back(std::move(candidate));
  }
  return distinct;
}

}  // namespace trustsql::semparse
