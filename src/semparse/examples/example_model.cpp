#include "semparse/examples/example_model.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "base/parallel_for.hpp"
#include "base/text.hpp"
#include "base/value.hpp"
#include "semparse/examples/example_groups.hpp"
#include "semparse/examples/order_free.hpp"

namespace trustsql::semparse {

namespace {

// A question that differs from a pattern in known values alone is as good as learned.
constexpr float same_words_cost = 0.12F;
constexpr double same_words_confidence = 0.97;
constexpr double learned_confidence = 0.999;

// The text by which a question is known again: white space, letter case and the last mark apart.
std::string text_key(std::string_view question) {
  std::string key;
  for (const char c : trim(question)) {
    if (is_space(c)) {
      if (!key.ends_with(' ')) key += ' ';
    } else {
      key += to_lower_ascii(c);
    }
  }
  while (!key.empty() && (key.back() == '?' || key.back() == '.' || key.back() == '!' || key.back() == ' '))
    key.pop_back();
  return key;
}

std::size_t likeliest(const std::vector<float>& probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
}

bool fills_well(const TemplateCandidate& candidate) {
  return candidate.rule == -1 && candidate.cost <= same_words_cost && candidate.left_values.empty() &&
         candidate.left_numbers.empty() &&
         std::all_of(candidate.values.begin(), candidate.values.end(), [](const SlotValue& value) {
           return value.standing == ValueStanding::known || value.standing == ValueStanding::fits;
         });
}

// How much of the weight of the words of question and pattern is aligned.
double likeness_of(const QuestionForm& form, const TemplateCandidate& candidate) {
  float all = 0;
  for (const auto at : form.readings()[candidate.reading].at)
    if (!candidate.infeasible() || !form.is_any_value(at)) all += form.extra_cost(at);
  return all <= 0 ? 1 : std::clamp(1 - static_cast<double>(candidate.cost / all), 0.0, 1.0);
}

// The share of the feasible questions that are expected to need a template that no example has. Good's estimate (1953),
// the share of examples whose template no other has, is far too low wherever somebody else asks than wrote the examples
// (docs/results.md). Too high a share costs answers; too low a one costs wrong answers, which are dearer.
constexpr double unseen_share = 0.4;

// One part of the examples, with what is learned from it.
struct Part {
  Part(std::span<const LearnedExample> examples, const std::vector<std::size_t>& kept)
      : bank(ExampleBank::build(examples, kept)), ranker(bank), vocabulary(bank), factors(bank) {}
  ExampleBank bank;
  TemplateRanker ranker;
  FamilyVocabulary vocabulary;
  QueryFactors factors;
};

}  // namespace

Result<std::shared_ptr<const ExampleModel>> ExampleModel::learn(std::vector<LearnedExample> examples,
                                                                const ExampleModelOptions& options,
                                                                const std::function<bool()>& stop) {
  const std::shared_ptr<ExampleModel> model(new ExampleModel(std::move(examples)));
  const auto& list = model->examples_;
  for (std::size_t i = 0; i < list.size(); ++i) model->by_text_[text_key(list[i].question)] = i;
  // Of a question that was learned twice, the last time counts.
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (model->by_text_[text_key(list[i].question)] == i) kept.push_back(i);
  model->bank_ = std::make_unique<const ExampleBank>(ExampleBank::build(list, kept));
  model->ranker_ = std::make_unique<TemplateRanker>(*model->bank_);
  model->vocabulary_ = std::make_unique<FamilyVocabulary>(*model->bank_);
  model->ranker_->learn([&](std::size_t i) { return std::string_view(list[i].question); },
                        [&](std::size_t i) { return *list[i].sql; }, options.ranking, stop);
  model->factors_ = std::make_unique<QueryFactors>(*model->bank_);
  model->factors_->learn(stop);
  if (stop && stop()) return Error{ErrorCode::interrupted, "interrupted"};
  model->confidence_ = shipped_example_confidence();
  if (model->bank_->patterns().size() >= options.min_outcomes)
    TRUSTSQL_RETURN_IF_ERROR(model->cross_fit(options, stop));
  return std::shared_ptr<const ExampleModel>(model);
}

Status ExampleModel::cross_fit(const ExampleModelOptions& options, const std::function<bool()>& stop) {
  const std::array groups_of = {group_examples(*bank_, options.folds, false),
                                group_examples(*bank_, options.folds, true)};
  std::vector<std::vector<HeldOutExample>> found(groups_of.size() * options.folds);
  std::atomic<bool> stopped = false;
  const auto sql = [&](std::size_t i) { return *examples_[i].sql; };
  const auto question = [&](std::size_t i) { return std::string_view(examples_[i].question); };
  const auto work = [&](std::size_t part_number) {
    const auto& groups = groups_of[part_number / options.folds];
    const auto fold = part_number % options.folds;
    std::vector<std::size_t> kept;
    for (const auto& group : groups)
      if (group.fold != fold) kept.push_back(group.example);
    Part part(examples_, kept);
    part.ranker.learn(question, sql, options.ranking, [&] { return stopped.load(); });
    part.factors.learn([&] { return stopped.load(); });
    for (const auto& group : groups) {
      if (group.fold != fold || stopped) continue;
      const auto& example = examples_[group.example];
      const QuestionForm form(example.question, part.bank, nullptr);
      const auto candidates = find_template_candidates(form);
      HeldOutExample answer{.example = group.example,
                            .template_left_out = group.template_left_out,
                            .infeasible = !example.sql.has_value(),
                            .group = group.group};
      const QueryMatcher gold(example.sql ? *example.sql : std::string());
      const auto is_right = [&](const TemplateCandidate& each) {
        return example.sql && !each.infeasible() && gold.matches(each.sql);
      };
      answer.reachable = std::any_of(candidates.begin(), candidates.end(), is_right);
      if (!candidates.empty()) {
        const auto probabilities = part.ranker.probabilities(form, candidates);
        answer.answered = !candidates[likeliest(probabilities)].infeasible();
        if (answer.answered) {
          auto standings =
              candidate_standings(form, candidates, probabilities, part.ranker, part.vocabulary, part.factors);
          answer.rows = std::move(standings.rows);
          for (const auto i : standings.candidates) {
            answer.right_rows.push_back(is_right(candidates[i]));
            answer.queries.push_back(candidates[i].sql);
          }
        }
      }
      found[part_number].push_back(std::move(answer));
    }
  };
  const bool finished = parallel_for(found.size(), options.threads, work, [&] {
    if (stop && stop()) stopped = true;
    return stopped.load();
  });
  if (!finished || stopped) return Error{ErrorCode::interrupted, "interrupted"};
  for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(held_out_));
  weigh_held_out();
  const auto is_answered = [](const HeldOutExample& each) { return each.answered; };
  const auto is_right = [](const HeldOutExample& each) {
    return std::find(each.right_rows.begin(), each.right_rows.end(), true) != each.right_rows.end();
  };
  const auto answered = std::count_if(held_out_.begin(), held_out_.end(), is_answered);
  if (static_cast<std::size_t>(answered) < options.min_outcomes / 2 ||
      std::none_of(held_out_.begin(), held_out_.end(), is_right))
    return ok_status();
  confidence_ = learn_example_confidence(held_out_);
  own_confidence_ = true;
  return ok_status();
}

// Weights such that templates that were left out have the share that is expected.
void ExampleModel::weigh_held_out() {
  double seen = 0;
  double unseen = 0;
  for (const auto& each : held_out_)
    if (!each.infeasible) (each.template_left_out ? unseen : seen) += 1;
  if (seen == 0 || unseen == 0) return;
  const double wanted = unseen_share / (1 - unseen_share) * seen;
  for (auto& each : held_out_)
    if (each.template_left_out && !each.infeasible) each.weight = static_cast<float>(wanted / unseen);
}

ExampleAnswer ExampleModel::answer(std::string_view question, const KnownValues* values) const {
  ExampleAnswer answer;
  if (const auto known = by_text_.find(text_key(question)); known != by_text_.end()) {
    const auto& example = examples_[known->second];
    answer.learned = true;
    answer.example = known->second;
    answer.sql = example.sql;
    answer.infeasible = !example.sql;
    answer.infeasible_type = example.type;
    answer.confidence = example.sql ? learned_confidence : 0;
    answer.likeness = 1;
    answer.infeasible_probability = example.sql ? 0 : learned_confidence;
    return answer;
  }
  const QuestionForm form(question, *bank_, values);
  const auto candidates = find_template_candidates(form);
  if (candidates.empty()) return answer;
  const auto probabilities = ranker_->probabilities(form, candidates);
  auto best = likeliest(probabilities);
  // The words of an example, and of no other query's.
  std::vector<std::size_t> same;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].infeasible() ? candidates[i].cost <= same_words_cost : fills_well(candidates[i]))
      same.push_back(i);
  bool as_learned = same.size() == 1 && !candidates[same.front()].infeasible();
  if (as_learned) best = same.front();
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].infeasible()) answer.infeasible_probability = static_cast<double>(probabilities[i]);
  CandidateStandings standings;
  std::size_t row = 0;
  if (!candidates[best].infeasible()) {
    standings = candidate_standings(form, candidates, probabilities, *ranker_, *vocabulary_, *factors_);
    const auto place = std::find(standings.candidates.begin(), standings.candidates.end(), best);
    as_learned = as_learned && place != standings.candidates.end();
    row = as_learned ? static_cast<std::size_t>(place - standings.candidates.begin())
                     : confidence_.choose(standings.rows);
    best = standings.candidates[row];
  }
  const auto& candidate = candidates[best];
  answer.example = bank_->pattern(candidate.pattern).example;
  answer.likeness = likeness_of(form, candidate);
  if (candidate.infeasible()) {
    answer.infeasible = true;
    answer.infeasible_type = examples_[*answer.example].type;
    return answer;
  }
  answer.sql = candidate.sql;
  answer.by_analogy = !candidate.template_known;
  answer.confidence = confidence_.probability(standings.rows, row);
  // Where the examples are enough to tell what a word means, one word more or less is left to what they tell.
  const bool same_words = candidate.alignment.extra.empty() && candidate.alignment.missing.empty();
  if (as_learned && (same_words || !own_confidence_))
    answer.confidence = std::max(answer.confidence, same_words_confidence);
  const auto& slots = candidate.query(*bank_).slots;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto& span = candidate.alignment.slots[i];
    const auto begin = form.words()[span.first].begin;
    answer.slots.push_back({std::string(question.substr(begin, form.words()[span.last - 1].end - begin)),
                            slots[i].column, candidate.values[i].value, slots[i].equality, slots[i].number});
  }
  return answer;
}

}  // namespace trustsql::semparse
