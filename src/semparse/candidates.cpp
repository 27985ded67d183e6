#include "semparse/candidates.hpp"

#include <algorithm>
#include <iterator>

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

bool names_total(const Question& question) {
  constexpr std::string_view totals[] = {"total",     "totals", "sum",      "summed",     "many",   "much",
                                         "overall",   "number", "combined", "altogether", "amount", "together",
                                         "aggregate", "add",    "count",    "cumulative", "entire", "whole"};
  return std::any_of(question.words.begin(), question.words.end(), [&totals](const Word& word) {
    return std::find(std::begin(totals), std::end(totals), word.lower) != std::end(totals);
  });
}

// What the words of a question allow a query to do: rules that right queries hardly ever break
// (grounding_operators.cpp).
struct Licence {
  explicit Licence(const Question& question)
      : average(has_cue(question, AskedCue::average, false)),
        extreme(has_cue(question, AskedCue::extreme, false)),
        sum(has_cue(question, AskedCue::sum, false)),
        total(names_total(question)),
        count(has_cue(question, AskedCue::count, false)),
        negation(has_cue(question, AskedCue::negation, false)),
        both(has_cue(question, AskedCue::both, false)) {}

  bool allows(Aggregate aggregate) const {
    switch (aggregate) {
      case Aggregate::avg: return average;
      case Aggregate::max:
      case Aggregate::min: return extreme;
      case Aggregate::sum: return sum;
      default: return true;
    }
  }

  bool average;
  bool extreme;
  bool sum;
  bool total;  // a word for a sum, and not only one that compares: "more", "each"
  bool count;
  bool negation;
  bool both;
};

// Whether the question licenses the form: a count, an average or an extreme is asked for with a word for it.
bool is_licensed(const Skeleton& skeleton, const Licence& licence) {
  const auto is_free = [&licence](const SelectPart& part) {
    return licence.allows(part.aggregate) && (licence.count || part.aggregate != Aggregate::count);
  };
  if (!std::all_of(skeleton.select.begin(), skeleton.select.end(), is_free)) return false;
  const auto sums = [](const SelectPart& part) { return part.aggregate == Aggregate::sum; };
  if (!licence.total && std::any_of(skeleton.select.begin(), skeleton.select.end(), sums)) return false;
  if (skeleton.order && !licence.allows(skeleton.order->aggregate)) return false;
  if (skeleton.having && !licence.allows(skeleton.having->aggregate)) return false;
  if (skeleton.limit == LimitKind::one && !licence.extreme) return false;
  if (skeleton.subquery == SubqueryKind::missing && !licence.negation) return false;
  if (skeleton.operation == SetOperation::except && !licence.negation) return false;
  return skeleton.operation != SetOperation::intersect || licence.both;
}

// Whether the column holds amounts, which are added, and of which there is an average.
bool is_amount(const DomainColumn& column) {
  return column.kind == DataKind::number && !column.is_id && !column.is_key && !column.is_foreign;
}

// Whether the question licenses what is counted: "how many seats" asks for a stored number, and only "how many
// different seats" counts such numbers. Averages and sums are those of numbers.
bool is_licensed(const Tree& tree, const QuestionView& view, bool distinct_is_asked) {
  const auto& select = tree.block.select;
  return std::all_of(select.begin(), select.end(), [&](const Term& term) {
    if (term.column == nothing) return true;
    const auto& column = view.domain().column(term.column);
    if (term.aggregate == Aggregate::avg || term.aggregate == Aggregate::sum)
      return column.kind != DataKind::text && !column.is_foreign;
    return term.aggregate != Aggregate::count || distinct_is_asked || !is_amount(column);
  });
}

// "Which customers ..." asks for what names a customer, and not for all that is known of one.
bool gives_asked_columns(const Tree& tree, const QuestionView& view) {
  constexpr std::string_view words[] = {"which", "who", "whose", "when", "where"};
  const auto& question = view.question().words;
  if (question.empty() || std::find(std::begin(words), std::end(words), question.front().lower) == std::end(words))
    return true;
  return std::none_of(tree.block.select.begin(), tree.block.select.end(), [&view](const Term& term) {
    return term.column == nothing && term.aggregate == Aggregate::none &&
           view.domain().table(term.table).display != nothing;
  });
}

// "When" asks for a date, or a part of one.
bool gives_time(const Tree& tree, const Domain& domain) {
  constexpr std::string_view time_words[] = {"date", "time", "year", "month", "day", "hour"};
  return std::any_of(tree.block.select.begin(), tree.block.select.end(), [&](const Term& term) {
    if (term.column == nothing || term.aggregate == Aggregate::count) return false;
    const auto& column = domain.column(term.column);
    const auto is_time = [&](std::string_view word) {
      return std::find(column.all_words.begin(), column.all_words.end(), word) != column.all_words.end();
    };
    return column.kind == DataKind::date || std::any_of(std::begin(time_words), std::end(time_words), is_time);
  });
}

// "For each", "per": a third of the forms that are filled, the first `count`, have a group, if there are so many.
void reserve_for_groups(const ParserModel& model, std::size_t count, std::vector<std::size_t>& order) {
  const auto groups = [&model](std::size_t skeleton) { return model.skeletons[skeleton].skeleton.group; };
  if (order.size() <= count) return;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count - count / 3);
  std::stable_partition(middle, order.end(), groups);
}

// Whether a set operation has the same query on both sides, which nobody asks for.
bool is_idle(const Tree& tree) {
  return tree.operation != SetOperation::none && !tree.other.empty() && tree.other.front() == tree.block;
}

}  // namespace

std::vector<Candidate> find_candidates(const ParserModel& model, const QuestionView& view,
                                       const CandidateOptions& options) {
  const auto scores = score_skeletons(model, view);
  const Licence licence(view.question());
  const auto cues = find_cues(view.question());
  const auto asks = [&cues](Cue cue) {
    return std::any_of(cues.begin(), cues.end(), [cue](const CueMention& mention) { return mention.cue == cue; });
  };
  const bool distinct_is_asked = asks(Cue::distinct);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (is_licensed(model.skeletons[i].skeleton, licence)) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&scores](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  if (asks(Cue::each)) reserve_for_groups(model, options.skeletons, order);
  if (order.size() > options.skeletons) order.resize(options.skeletons);
  Filling filling(view, model.weights);
  std::vector<Candidate> candidates;
  for (const auto index : order) {
    for (auto& draft : fill(filling, model.skeletons[index].skeleton, options)) {
      Candidate candidate{filling.tree_of(draft), {}, {}, scores[index], scores[index] + draft.score};
      if (is_idle(candidate.tree) || !is_licensed(candidate.tree, view, distinct_is_asked) ||
          !gives_asked_columns(candidate.tree, view))
        continue;
      candidate.draft = std::move(draft);
      candidates.push_back(std::move(candidate));
    }
  }
  const auto& words = view.question().words;
  const auto answers_when = [&view](const Candidate& each) { return gives_time(each.tree, view.domain()); };
  if (!words.empty() && words.front().lower == "when" &&
      std::any_of(candidates.begin(), candidates.end(), answers_when))
    std::erase_if(candidates, [&](const Candidate& each) { return !answers_when(each); });
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
