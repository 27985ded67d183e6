#include "semparse/fitting.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/parallel_for.hpp"
#include "db/results/column_match.hpp"
#include "semparse/confidence.hpp"
#include "semparse/evidence.hpp"
#include "semparse/infeasible.hpp"
#include "semparse/parser.hpp"
#include "semparse/ranking.hpp"
#include "semparse/tree_of_sql.hpp"
#include "semparse/tree_sql.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::int64_t match_steps = 100'000;

struct JudgedCandidate {
  Features features;
  Contender contender;
  bool right;
  std::vector<float> unified;  // unified_features()
};

struct JudgedQuestion {
  std::size_t database;
  std::string kind;
  std::vector<JudgedCandidate>
      candidates;  // in the order of the parser; the best ones in the order of the ranker later
  bool right_at_first = false;
  bool reachable = false;
  std::vector<std::vector<float>> inputs{};  // choice_inputs()
  Choice choice{};
  std::vector<float> confidence_inputs{};

  bool feasible() const { return kind == "feasible"; }
  bool is_right() const { return feasible() && !candidates.empty() && candidates[choice.best].right; }
};

using Questions = std::vector<JudgedQuestion*>;

// What one thread needs of a database.
struct OpenDatabase {
  SandboxLease sandbox;
  std::shared_ptr<const Knowledge> knowledge;
  std::unique_ptr<QuestionLinker> linker;
};

void shuffle(Questions& questions, Random& random) {
  for (std::size_t i = questions.size(); i > 1; --i) std::swap(questions[i - 1], questions[random.below(i)]);
}

std::vector<Contender> contenders_of(const JudgedQuestion& question) {
  std::vector<Contender> contenders;
  for (const auto& candidate : question.candidates) contenders.push_back(candidate.contender);
  return contenders;
}

// Softmax over the candidates of a question; all right ones count.
LinearModel fit_ranking(Questions questions, const FittingOptions& options) {
  LinearModel model(LinearModel::small_size);
  Learner learner(model);
  Random random(options.seed, 1);
  std::erase_if(questions, [](const auto* question) { return !question->feasible(); });
  for (int epoch = 0; epoch < options.ranking_epochs; ++epoch) {
    shuffle(questions, random);
    for (const auto* question : questions) {
      std::vector<float> scores;
      for (const auto& candidate : question->candidates) scores.push_back(model.score(candidate.features));
      log_softmax(scores);
      float right = 0;
      for (std::size_t i = 0; i < scores.size(); ++i)
        if (question->candidates[i].right) right += std::exp(scores[i]);
      if (right <= 0) continue;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const float p = std::exp(scores[i]);
        const float gradient = (question->candidates[i].right ? p / right : 0.0F) - p;
        if (std::fabs(gradient) > 1e-3F) learner.update(question->candidates[i].features, gradient);
      }
    }
  }
  return model;
}

// Keeps the candidates that the ranker puts first.
void rank_all(const LinearModel& model, const Questions& questions) {
  for (auto* question : questions) {
    auto& candidates = question->candidates;
    std::vector<float> scores;
    for (const auto& candidate : candidates) scores.push_back(model.score(candidate.features));
    log_softmax(scores);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].contender.probability = std::exp(scores[i]);
    std::stable_sort(candidates.begin(), candidates.end(), [](const JudgedCandidate& a, const JudgedCandidate& b) {
      return a.contender.probability > b.contender.probability;
    });
    if (candidates.size() > max_contenders) candidates.erase(candidates.begin() + max_contenders, candidates.end());
    question->inputs = choice_inputs(contenders_of(*question));
  }
}

// Softmax over the contenders of a question, as fit_ranking().
TreeEnsemble fit_choice(const Questions& questions, const FittingOptions& options) {
  struct Group {
    std::size_t first;
    std::size_t last;
  };
  std::vector<float> rows;
  std::vector<bool> right;
  std::vector<Group> groups;
  for (const auto* question : questions) {
    const auto& candidates = question->candidates;
    const auto is_right = [](const JudgedCandidate& candidate) { return candidate.right; };
    if (!question->feasible() || std::none_of(candidates.begin(), candidates.end(), is_right) ||
        std::all_of(candidates.begin(), candidates.end(), is_right))
      continue;
    groups.push_back({right.size(), right.size() + candidates.size()});
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      rows.insert(rows.end(), question->inputs[i].begin(), question->inputs[i].end());
      right.push_back(candidates[i].right);
    }
  }
  const auto loss = [&](std::span<const float> scores, std::span<float> first, std::span<float> second) {
    for (const auto& group : groups) {
      std::vector<float> p(scores.begin() + static_cast<std::ptrdiff_t>(group.first),
                           scores.begin() + static_cast<std::ptrdiff_t>(group.last));
      log_softmax(p);
      float mass = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = std::exp(p[i]);
        if (right[group.first + i]) mass += p[i];
      }
      for (std::size_t i = 0; i < p.size(); ++i) {
        first[group.first + i] = p[i] - (right[group.first + i] ? p[i] / std::max(mass, 1e-6F) : 0.0F);
        second[group.first + i] = std::max(p[i] * (1 - p[i]), 1e-3F);
      }
    }
  };
  BoostingOptions boosting;
  boosting.seed = options.seed;
  return boost(rows, choice_input_count(), loss, boosting);
}

void choose_all(const TreeEnsemble& trees, const Questions& questions) {
  for (auto* question : questions) {
    if (question->candidates.empty()) continue;
    question->choice = choose(trees, question->inputs);
    question->confidence_inputs = confidence_inputs(contenders_of(*question), question->inputs, question->choice);
  }
}

// Logistic loss: whether the choice is right. Infeasible questions count as much, together, as feasible ones.
TreeEnsemble fit_confidence(const Questions& questions, const FittingOptions& options) {
  std::vector<float> rows;
  std::vector<float> right;
  std::vector<bool> feasible;
  for (const auto* question : questions) {
    if (question->candidates.empty()) continue;
    rows.insert(rows.end(), question->confidence_inputs.begin(), question->confidence_inputs.end());
    right.push_back(question->is_right() ? 1.0F : 0.0F);
    feasible.push_back(question->feasible());
  }
  const auto feasible_count = static_cast<float>(std::count(feasible.begin(), feasible.end(), true));
  const float infeasible_weight = feasible_count / std::max(static_cast<float>(feasible.size()) - feasible_count, 1.0F);
  const auto loss = [&](std::span<const float> scores, std::span<float> first, std::span<float> second) {
    for (std::size_t i = 0; i < right.size(); ++i) {
      const float p = logistic(scores[i]);
      const float weight = feasible[i] ? 1 : infeasible_weight;
      first[i] = weight * (p - right[i]);
      second[i] = weight * std::max(p * (1 - p), 1e-4F);
    }
  };
  const BoostingOptions boosting{.trees = 400, .depth = 5, .rate = 0.03F, .input_share = 0.3F, .seed = options.seed};
  return boost(rows, confidence_input_count(), loss, boosting);
}

class Fitter {
 public:
  Fitter(const std::vector<std::shared_ptr<SandboxSource>>& databases, const std::vector<LabelledQuestion>& questions,
         const FittingOptions& options)
      : databases_(databases), questions_(questions), options_(options) {}

  Result<Fit> run() {
    deal();
    judged_.resize(options_.folds);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.threads); ++i)
      threads.emplace_back([this] { work(); });
    for (auto& thread : threads) thread.join();
    if (error_) return std::move(*error_);
    Fit fit{std::move(model_)};
    // Each stage is learned from what the stages before it did on databases that they were not trained on.
    fit.model.ranking = cross_fit<LinearModel>(fit_ranking, rank_all);
    fit.model.choice = cross_fit<TreeEnsemble>(fit_choice, choose_all);
    fit.model.confidence =
        cross_fit<TreeEnsemble>(fit_confidence, [&fit](const TreeEnsemble& trees, const Questions& questions) {
          for (const auto* question : questions) fit.held_out.push_back(answer(trees, *question));
        });
    calibrate(fit.model, fit.held_out);
    return fit;
  }

 private:
  // Deals the databases into folds with about equally many questions.
  void deal() {
    std::vector<std::size_t> sizes(databases_.size(), 0);
    for (const auto& question : questions_) ++sizes[question.database];
    std::vector<std::size_t> order(databases_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<std::size_t> loads(options_.folds, 0);
    fold_of_.assign(databases_.size(), 0);
    for (const auto database : order) {
      const auto lightest = static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
      fold_of_[database] = lightest;
      loads[lightest] += sizes[database];
    }
  }

  Questions of_fold(std::size_t fold) {
    Questions list;
    for (auto& question : judged_[fold]) list.push_back(&question);
    return list;
  }
  // All if there is no such fold.
  Questions without(std::size_t fold) {
    Questions list;
    for (std::size_t k = 0; k < options_.folds; ++k) {
      if (k == fold) continue;
      const auto more = of_fold(k);
      list.insert(list.end(), more.begin(), more.end());
    }
    return list;
  }

  // Trains one model for each fold, of the questions of all others, and one of all, which is returned; then uses the
  // model of each fold on its questions.
  template <class Model, class Fitting, class Use>
  Model cross_fit(const Fitting& fitting, const Use& use) {
    std::vector<Model> models(options_.folds + 1);
    parallel_for(
        models.size(), options_.threads, [&](std::size_t k) { models[k] = fitting(without(k), options_); },
        [] { return false; });
    for (std::size_t k = 0; k < options_.folds; ++k) use(models[k], of_fold(k));
    return std::move(models.back());
  }

  static HeldOutAnswer answer(const TreeEnsemble& confidence, const JudgedQuestion& question) {
    HeldOutAnswer answer{question.database, question.kind};
    if (question.candidates.empty()) return answer;
    answer.confidence = static_cast<double>(logistic(confidence.score(question.confidence_inputs)));
    answer.right = question.is_right();
    answer.unified = {question.choice.sorted_probabilities(), question.candidates[question.choice.best].unified};
    answer.ranked_first = question.right_at_first;
    answer.reachable = question.reachable;
    return answer;
  }

  void say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (options_.progress) options_.progress(text);
  }

  void fail(Error error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }

  void work() {
    std::vector<OpenDatabase> open(databases_.size());
    for (std::size_t i = 0; i < databases_.size(); ++i) {
      auto status = open_database(i, open[i]);
      if (!status.ok()) return fail(std::move(status).error());
    }
    std::vector<Example> examples;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      auto& database = open[questions_[i].database];
      if (!database.knowledge) continue;
      const auto query = parse_query(questions_[i].sql);
      auto tree = query.ok() ? tree_of(database.knowledge->domain, *query) : std::nullopt;
      if (!tree) continue;
      Example example{&database.knowledge->domain, read_question(questions_[i].question), {}, std::move(*tree)};
      example.linking = database.linker->link(example.question);
      examples.push_back(std::move(example));
      numbers.push_back(i);
    }
    for (;;) {
      const auto fold = next_++;
      if (fold > options_.folds || error_) return;
      std::vector<Example> part;
      for (std::size_t i = 0; i < examples.size(); ++i)
        if (fold == options_.folds || fold_of_[questions_[numbers[i]].database] != fold) part.push_back(examples[i]);
      auto model = train(part, options_.training);
      if (fold == options_.folds)
        model_ = std::move(model);
      else
        judge_fold(fold, model, examples, numbers, open);
      say(fold == options_.folds ? "the whole model is trained"
                                 : "fold " + std::to_string(fold + 1) + " of " + std::to_string(options_.folds));
    }
  }

  Status open_database(std::size_t number, OpenDatabase& database) {
    auto sandbox = databases_[number]->lease();
    auto catalog = databases_[number]->catalog();
    if (!sandbox.ok() || !catalog.ok()) return ok_status();
    auto knowledge = Knowledge::build(**catalog, **sandbox);
    if (!knowledge.ok()) return std::move(knowledge).error();
    database.sandbox = std::move(*sandbox);
    database.knowledge = std::move(*knowledge);
    database.linker = std::make_unique<QuestionLinker>(database.knowledge->domain, database.knowledge->values);
    return ok_status();
  }

  void judge_fold(std::size_t fold, const ParserModel& model, const std::vector<Example>& examples,
                  const std::vector<std::size_t>& numbers, std::vector<OpenDatabase>& open) {
    std::vector<std::size_t> readable;  // databases of the fold
    for (std::size_t i = 0; i < open.size(); ++i)
      if (fold_of_[i] == fold && open[i].knowledge) readable.push_back(i);
    auto& judged = judged_[fold];
    Random random(options_.seed, 100 + fold);
    std::map<std::size_t, const Tree*> trees;
    for (std::size_t i = 0; i < numbers.size(); ++i) trees[numbers[i]] = &examples[i].tree;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      const auto& item = questions_[i];
      auto& home = open[item.database];
      if (fold_of_[item.database] != fold || !home.knowledge) continue;
      judged.push_back(judge(model, home, item.database, item.question, item.sql, "feasible"));
      if (readable.size() < 2) continue;
      auto other = readable[random.below(readable.size())];
      while (other == item.database) other = readable[random.below(readable.size())];
      judged.push_back(judge(model, open[other], other, item.question, "", "other database"));
      if (trees.count(i) == 0) continue;
      const auto& domain = home.knowledge->domain;
      const bool surface = random.below(2) == 0;
      const auto text = surface ? surface_question(domain, *home.linker, item.question, *trees[i], random)
                                : unrelated_question(domain, *home.linker, open[other].knowledge->domain, item.question,
                                                     *trees[i], random);
      if (text) judged.push_back(judge(model, home, item.database, *text, "", surface ? "surface" : "unrelated"));
    }
  }

  JudgedQuestion judge(const ParserModel& model, OpenDatabase& database, std::size_t number, const std::string& text,
                       const std::string& sql, std::string kind) const {
    JudgedQuestion judged{number, std::move(kind), {}};
    const auto question = read_question(text);
    const auto linking = database.linker->link(question);
    const QuestionView view(database.knowledge->domain, question, linking, model.vocabulary);
    const auto candidates = find_candidates(model, view);
    std::optional<ResultSet> gold;
    RowOrder order = RowOrder::bag;
    if (!sql.empty()) {
      if (auto result = database.sandbox->run(sql); result.ok()) gold = std::move(*result);
      const auto query = parse_query(sql);
      if (query.ok() && !query->order_by.empty()) order = RowOrder::list;
    }
    const auto evidence = question_evidence(view);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto written = sql_of(view.domain(), candidates[i].tree);
      if (!written) continue;
      JudgedCandidate candidate{
          ranking_features(view, candidates, i), {}, false, unified_features(view, candidates[i])};
      candidate.contender.evidence = evidence_values(view, evidence, candidates, i);
      const auto result = database.sandbox->run(*written);
      if (result.ok()) {
        candidate.contender.outcome = outcome_of(*result);
        if (gold) {
          const auto match = match_columns(*gold, *result, order, match_steps);
          candidate.right = match.ok() && match->has_value();
        }
      }
      judged.reachable |= candidate.right;
      judged.candidates.push_back(std::move(candidate));
    }
    judged.right_at_first = !judged.candidates.empty() && judged.candidates.front().right;
    return judged;
  }

  const std::vector<std::shared_ptr<SandboxSource>>& databases_;
  const std::vector<LabelledQuestion>& questions_;
  const FittingOptions& options_;
  std::vector<std::size_t> fold_of_{};
  std::vector<std::vector<JudgedQuestion>> judged_{};
  ParserModel model_{};
  std::mutex mutex_{};
  std::optional<Error> error_{};
  std::atomic<std::size_t> next_{0};
};

}  // namespace

Result<Fit> fit_model(const std::vector<std::shared_ptr<SandboxSource>>& databases,
                      const std::vector<LabelledQuestion>& questions, const FittingOptions& options) {
  if (options.folds < 2 || databases.size() < options.folds)
    return invalid_argument("there are " + std::to_string(databases.size()) + " databases, fewer than the " +
                            std::to_string(options.folds) + " folds");
  return Fitter(databases, questions, options).run();
}

}  // namespace trustsql::semparse
