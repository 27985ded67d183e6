#include "semparse/training/fitting.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "base/parallel_for.hpp"
#include "base/random.hpp"
#include "semparse/parser.hpp"
#include "semparse/training/fitting_stages.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

// What one thread needs of a database.
struct OpenDatabase {
  SandboxLease sandbox;
  std::shared_ptr<const Knowledge> knowledge;
  std::unique_ptr<QuestionLinker> linker;
};

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
    const BoostingOptions choice{.seed = options_.seed};
    const BoostingOptions confidence{
        .trees = 1000, .depth = 6, .rate = 0.02F, .input_share = 0.3F, .seed = options_.seed};
    fit.model.ranking = cross_fit<LinearModel>(
        [&](const Questions& part) { return fit_ranking(part, options_.ranking_epochs, options_.seed); }, rank_all);
    fit.model.choice =
        cross_fit<TreeEnsemble>([&](const Questions& part) { return fit_choice(part, choice); }, choose_all);
    fit.model.confidence =
        cross_fit<TreeEnsemble>([&](const Questions& part) { return fit_confidence(part, confidence); },
                                [&fit](const TreeEnsemble& trees, const Questions& questions) {
                                  for (const auto* question : questions)
                                    fit.held_out.push_back(answer(trees, *question));
                                });
    calibrate(fit.model, fit.held_out);
    return fit;
  }

 private:
  // Deals the databases into folds with about equally many questions.
  void deal() {
    std::vector<std::size_t> sizes(databases_.size(), 0);
    for (const auto& question : questions_) ++sizes[question.database];
    fold_of_ = deal_into_folds(sizes, options_.folds);
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
        models.size(), options_.threads, [&](std::size_t k) { models[k] = fitting(without(k)); }, [] { return false; });
    for (std::size_t k = 0; k < options_.folds; ++k) use(models[k], of_fold(k));
    return std::move(models.back());
  }

  static HeldOutAnswer answer(const TreeEnsemble& confidence, const JudgedQuestion& question) {
    HeldOutAnswer answer{question.database, question.number, question.kind};
    if (question.candidates.empty()) return answer;
    answer.confidence = static_cast<double>(logistic(confidence.score(question.confidence_inputs)));
    answer.has_objections = !question.may_be_answered();
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
    Random random(options_.seed, 100 + fold);
    std::map<std::size_t, const Tree*> trees;
    for (std::size_t i = 0; i < numbers.size(); ++i) trees[numbers[i]] = &examples[i].tree;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      const auto& item = questions_[i];
      auto& home = open[item.database];
      if (fold_of_[item.database] != fold || !home.knowledge) continue;
      const auto judge_in = [&](std::size_t number, const std::string& text, const std::string& sql, std::string kind) {
        auto& in = open[number];
        auto judged = judge(model, *in.linker, *in.sandbox, text, sql, std::move(kind));
        judged.database = number;
        judged.number = i;
        judged_[fold].push_back(std::move(judged));
      };
      judge_in(item.database, item.question, item.sql, "feasible");
      if (readable.size() < 2) continue;
      auto other = readable[random.below(readable.size())];
      while (other == item.database) other = readable[random.below(readable.size())];
      judge_in(other, item.question, "", "other database");
      if (trees.count(i) == 0) continue;
      const auto& domain = home.knowledge->domain;
      const bool surface = random.below(2) == 0;
      const auto text = surface ? surface_question(domain, *home.linker, item.question, *trees[i], random)
                                : unrelated_question(domain, *home.linker, open[other].knowledge->domain, item.question,
                                                     *trees[i], random);
      if (text) judge_in(item.database, *text, "", surface ? "surface" : "unrelated");
    }
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
