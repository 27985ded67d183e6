#include "semparse/training/adapting.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "base/parallel_for.hpp"
#include "base/text.hpp"
#include "semparse/learning/paired_losses.hpp"
#include "semparse/parser.hpp"
#include "semparse/training/fitting.hpp"
#include "semparse/training/fitting_stages.hpp"
#include "semparse/training/judging.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

// Few trees and small steps: there are few questions, and much is known.
constexpr BoostingOptions adapted_trees{
    .trees = 40, .depth = 3, .rate = 0.05F, .input_share = 0.3F, .regularisation = 4, .min_curvature = 3};
constexpr BoostingOptions module_trees{
    .trees = 120, .depth = 3, .rate = 0.05F, .input_share = 0.3F, .regularisation = 4, .min_curvature = 2};
constexpr float least_level = 20;  // questions from which a module takes a probability

struct AdaptedDatabase {
  std::shared_ptr<const Knowledge> knowledge{};
  std::shared_ptr<const Catalog> catalog{};
};

// Models of each stage: one for each fold, learned without it, and the last one of all questions.
template <class Model>
struct CrossFit {
  std::vector<Model> models{};
  bool adapted = false;
};

class Adapter {
 public:
  Adapter(const std::shared_ptr<const ParserModel>& start, const std::vector<std::shared_ptr<SandboxSource>>& databases,
          const std::vector<UserQuestion>& questions, const AdaptingOptions& options)
      : start_(start), sources_(databases), questions_(questions), options_(options) {}

  Result<Adaptation> run() {
    TRUSTSQL_RETURN_IF_ERROR(open_databases());
    TRUSTSQL_RETURN_IF_ERROR(choose_questions());
    TRUSTSQL_RETURN_IF_ERROR(deal());
    TRUSTSQL_RETURN_IF_ERROR(judge_all());
    TRUSTSQL_RETURN_IF_ERROR(adapt_parser());
    TRUSTSQL_RETURN_IF_ERROR(ask_left_out());
    TRUSTSQL_RETURN_IF_ERROR(learn_modules());
    return std::move(result_);
  }

 private:
  const UserQuestion& question(std::size_t used) const { return questions_[used_[used]]; }
  AdaptedDatabase& database(std::size_t used) { return databases_[question(used).database]; }

  bool late() const { return options_.deadline && std::chrono::steady_clock::now() > *options_.deadline; }
  bool stopped() const { return late() || (options_.stop && options_.stop()); }
  Status check() const {
    if (late()) return limit_exceeded("the training was not finished in time");
    if (options_.stop && options_.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    return ok_status();
  }
  void say(const std::string& text) const {
    if (options_.progress) options_.progress(text);
  }

  // Calls work(index, sandbox) for the used questions; the sandbox is of the question's database.
  Status for_questions(const std::vector<std::size_t>& used, const std::function<Status(std::size_t, Sandbox&)>& work) {
    std::mutex mutex;
    std::optional<Error> error;
    std::atomic<bool> failed = false;
    const auto fail = [&](Error what) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::move(what);
      failed = true;
    };
    const auto one = [&](std::size_t i) {
      if (failed) return;
      auto sandbox = sources_[question(used[i]).database]->lease();
      if (!sandbox.ok()) return fail(std::move(sandbox).error());
      (*sandbox)->set_stop([this] { return stopped(); });
      if (auto status = work(used[i], **sandbox); !status.ok()) fail(std::move(status).error());
    };
    const bool finished = parallel_for(used.size(), options_.threads, one, [&] { return failed || stopped(); });
    TRUSTSQL_RETURN_IF_ERROR(check());
    if (error) return std::move(*error);
    if (!finished) return Error{ErrorCode::interrupted, "interrupted"};
    return ok_status();
  }
  std::vector<std::size_t> all_used() const {
    std::vector<std::size_t> all(used_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }

  Status open_databases() {
    databases_.resize(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      TRUSTSQL_RETURN_IF_ERROR(check());
      TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, sources_[i]->lease());
      sandbox->set_stop([this] { return stopped(); });
      TRUSTSQL_ASSIGN_OR_RETURN(databases_[i].catalog, sources_[i]->catalog());
      auto knowledge = Knowledge::build(*databases_[i].catalog, *sandbox);
      if (!knowledge.ok()) {
        TRUSTSQL_RETURN_IF_ERROR(check());
        return std::move(knowledge).error();
      }
      databases_[i].knowledge = *std::move(knowledge);
    }
    return ok_status();
  }

  // Why a question cannot be used; empty if it can.
  Result<std::string> problem_of(const UserQuestion& item) {
    if (trim(item.question).empty()) return std::string("the question is empty");
    if (!item.sql) return std::string();
    if (const auto query = parse_query(*item.sql); !query.ok())
      return "the query does not parse: " + query.error().message;
    TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, sources_[item.database]->lease());
    sandbox->set_stop([this] { return stopped(); });
    const auto rows = sandbox->run(*item.sql);
    if (rows.ok())
      return std::string(
          says_nothing(*rows) ? "the query returns nothing but NULL and 0, if any rows, as wrong queries would" : "");
    TRUSTSQL_RETURN_IF_ERROR(check());
    if (rows.error().code == ErrorCode::out_of_memory) return rows.error();
    return "the query does not run: " + rows.error().message;
  }

  Status choose_questions() {
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      TRUSTSQL_RETURN_IF_ERROR(check());
      TRUSTSQL_ASSIGN_OR_RETURN(auto problem, problem_of(questions_[i]));
      if (!problem.empty()) {
        result_.unused.push_back({i, std::move(problem)});
        continue;
      }
      used_.push_back(i);
      ++(questions_[i].sql ? result_.feasible : result_.infeasible);
    }
    const auto few = [](std::size_t count, std::string_view kind, std::size_t least) {
      return invalid_argument("there are " + std::to_string(count) + " " + std::string(kind) +
                              " questions that can be used, and training needs " + std::to_string(least));
    };
    const auto why = result_.unused.empty()
                         ? std::string()
                         : "; of " + std::to_string(result_.unused.size()) + " that cannot, the first is row " +
                               std::to_string(result_.unused.front().number + 1) + ": " + result_.unused.front().reason;
    if (result_.feasible < options_.min_feasible)
      return Error{ErrorCode::invalid_argument, few(result_.feasible, "feasible", options_.min_feasible).message + why};
    if (result_.infeasible < options_.min_infeasible)
      return Error{ErrorCode::invalid_argument, few(result_.infeasible, "infeasible", options_.min_infeasible).message +
                                                    " (their sql is NULL; nl2sql_synthesize makes some)" + why};
    say(std::to_string(used_.size()) + " questions can be used");
    return ok_status();
  }

  // The form of a question's query; of an infeasible question the question itself.
  std::string form_of(const UserQuestion& item) {
    if (!item.sql) return "?" + to_lower_ascii(item.question);
    const auto query = parse_query(*item.sql);
    const auto tree = query.ok() ? tree_of(databases_[item.database].knowledge->domain, *query) : std::nullopt;
    const auto skeleton = tree ? skeleton_of(*tree) : std::nullopt;
    return skeleton ? text_of(*skeleton) : *item.sql;
  }

  Status deal() {
    std::map<std::size_t, std::size_t> by_database;
    for (const auto number : used_) ++by_database[questions_[number].database];
    result_.by_database = by_database.size() >= options_.folds;
    std::map<std::string, std::size_t> groups;  // numbers of forms, in the order of the questions
    std::vector<std::size_t> group_of;
    for (const auto number : used_) {
      const auto& item = questions_[number];
      const auto name = result_.by_database ? std::to_string(item.database) : form_of(item);
      group_of.push_back(groups.try_emplace(name, groups.size()).first->second);
    }
    result_.folds = std::min(options_.folds, groups.size());
    if (result_.folds < 2) return invalid_argument("all questions have the same query");
    std::vector<std::size_t> sizes(groups.size(), 0);
    for (const auto group : group_of) ++sizes[group];
    const auto folds = deal_into_folds(sizes, result_.folds);
    for (const auto group : group_of) fold_of_.push_back(folds[group]);
    return ok_status();
  }

  Status judge_all() {
    judged_.resize(used_.size());
    TRUSTSQL_RETURN_IF_ERROR(for_questions(all_used(), [this](std::size_t i, Sandbox& sandbox) -> Status {
      const auto& knowledge = *database(i).knowledge;
      QuestionLinker linker(knowledge.domain, knowledge.values);
      const auto& item = question(i);
      judged_[i] =
          judge(*start_, linker, sandbox, item.question, item.sql.value_or(""), item.sql ? "feasible" : "infeasible");
      return ok_status();
    }));
    say("the candidates for " + std::to_string(used_.size()) + " questions are judged");
    return ok_status();
  }

  Questions of_fold(std::size_t fold) {
    Questions list;
    for (std::size_t i = 0; i < judged_.size(); ++i)
      if (fold_of_[i] == fold) list.push_back(&judged_[i]);
    return list;
  }
  // All if there is no such fold.
  Questions without(std::size_t fold) {
    Questions list;
    for (std::size_t i = 0; i < judged_.size(); ++i)
      if (fold_of_[i] != fold) list.push_back(&judged_[i]);
    return list;
  }

  // Adapts `start` for each fold and for all; keeps `start` if that is better on the questions that were left out.
  template <class Model, class Fitting, class Loss>
  Result<CrossFit<Model>> cross_fit(const Model& start, const Fitting& fitting, const Loss& loss) {
    const auto folds = result_.folds;
    CrossFit<Model> fit;
    fit.models.assign(folds + 1, start);
    parallel_for(
        folds + 1, options_.threads, [&](std::size_t k) { fit.models[k] = fitting(without(k)); },
        [this] { return stopped(); });
    TRUSTSQL_RETURN_IF_ERROR(check());
    PairedLosses losses;
    for (std::size_t i = 0; i < judged_.size(); ++i)
      losses.add(loss(start, judged_[i]), loss(fit.models[fold_of_[i]], judged_[i]));
    fit.adapted = losses.improves();
    if (!fit.adapted) fit.models.assign(folds + 1, start);
    return fit;
  }

  Status adapt_parser() {
    auto tree_options = adapted_trees;
    tree_options.seed = options_.seed;
    rank_all(start_->ranking, without(result_.folds));
    for (auto& judged : judged_)
      for (auto& candidate : judged.candidates) candidate.features = {};
    TRUSTSQL_ASSIGN_OR_RETURN(
        choice_,
        cross_fit(
            start_->choice, [&](const Questions& part) { return fit_choice(part, tree_options, &start_->choice); },
            choice_loss));
    for (std::size_t k = 0; k < result_.folds; ++k) choose_all(choice_.models[k], of_fold(k));
    TRUSTSQL_ASSIGN_OR_RETURN(confidence_, cross_fit(
                                               start_->confidence,
                                               [&](const Questions& part) {
                                                 return fit_confidence(part, tree_options, false, &start_->confidence);
                                               },
                                               confidence_loss));
    judged_.clear();
    result_.adapted_choice = choice_.adapted;
    result_.adapted_confidence = confidence_.adapted;
    say("choice and confidence are adapted");
    return ok_status();
  }

  // The model that was adapted without the fold; the last one is of all.
  ParserModel model_without(std::size_t fold) const {
    ParserModel model = *start_;
    model.choice = choice_.models[fold];
    model.confidence = confidence_.models[fold];
    return model;
  }

  // Asks every question of the parser as it was, and of the one that was adapted without it.
  Status ask_left_out() {
    result_.detects_written = std::any_of(
        used_.begin(), used_.end(), [this](std::size_t number) { return questions_[number].written.has_value(); });
    result_.left_out.resize(used_.size());
    answers_.resize(used_.size());
    question_inputs_.resize(used_.size());
    known_.resize(used_.size());
    detector_inputs_.resize(used_.size());
    for (std::size_t fold = 0; fold < result_.folds; ++fold) {
      std::vector<std::size_t> part;
      for (std::size_t i = 0; i < used_.size(); ++i)
        if (fold_of_[i] == fold) part.push_back(i);
      const Parser before(start_);
      const Parser after(std::make_shared<const ParserModel>(model_without(fold)));
      TRUSTSQL_RETURN_IF_ERROR(
          for_questions(part, [&](std::size_t i, Sandbox& sandbox) { return ask(i, before, after, sandbox); }));
    }
    say("the adapted parser is asked what it was not adapted to");
    return ok_status();
  }

  Status ask(std::size_t i, const Parser& before, const Parser& after, Sandbox& sandbox) {
    const auto& item = question(i);
    const auto& knowledge = *database(i).knowledge;
    const auto is_right = [&](const std::string& sql) { return item.sql && returns_the_same(sandbox, *item.sql, sql); };
    auto& left_out = result_.left_out[i];
    left_out.number = used_[i];
    left_out.feasible = item.sql.has_value();
    TRUSTSQL_ASSIGN_OR_RETURN(const auto first, before.parse(item.question, knowledge, sandbox));
    left_out.confidence_before = first.confidence;
    left_out.right_before = !first.readings.empty() && is_right(first.readings.front().sql);
    TRUSTSQL_ASSIGN_OR_RETURN(const auto parse, after.parse(item.question, knowledge, sandbox));
    left_out.confidence = parse.confidence;
    left_out.right = !parse.readings.empty() && is_right(parse.readings.front().sql);
    answers_[i] = {.database = item.database,
                   .kind = item.sql ? "feasible" : "infeasible",
                   .confidence = parse.confidence,
                   .right = left_out.right,
                   .unified = parse.unified};
    question_inputs_[i] = parse.question_inputs;
    const auto answer = result_.detects_written  ? item.written
                        : parse.readings.empty() ? std::nullopt
                                                 : std::optional(parse.readings.front().sql);
    if (!answer) return ok_status();
    left_out.detected = true;
    left_out.answer_right = is_right(*answer);
    TRUSTSQL_ASSIGN_OR_RETURN(detector_inputs_[i], detector_inputs(item.question, *answer, parse, knowledge,
                                                                   *database(i).catalog, sandbox, options_.dialect));
    known_[i] = known_log_odds(detector_inputs_[i], parse);
    return ok_status();
  }

  Status learn_modules() {
    result_.model = model_without(result_.folds);
    calibrate(result_.model, answers_);
    OutcomeOptions options{.boosting = module_trees, .folds = result_.folds, .min_level = least_level};
    options.boosting.seed = options_.seed;
    learn_classifier(options);
    TRUSTSQL_RETURN_IF_ERROR(check());
    learn_detector(options);
    say("the modules are trained");
    return check();
  }

  void learn_classifier(const OutcomeOptions& options) {
    QuestionClassifier classifier;
    std::vector<WordOdds> words_without(result_.folds);  // a fold
    std::vector<Question> read;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      read.push_back(read_question(question(i).question));
      const bool feasible = result_.left_out[i].feasible;
      classifier.words.add(read.back(), feasible);
      for (std::size_t k = 0; k < result_.folds; ++k)
        if (fold_of_[i] != k) words_without[k].add(read.back(), feasible);
    }
    Outcomes outcomes;
    std::vector<std::uint64_t> groups;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      auto inputs = question_inputs_[i];
      inputs.resize(classifier_input_count());
      const auto of_words = words_without[fold_of_[i]].inputs(read[i]);
      inputs.insert(inputs.end(), of_words.begin(), of_words.end());
      outcomes.add(inputs, result_.left_out[i].feasible);
      groups.push_back(fold_of_[i]);
    }
    auto learned = learn_outcomes(outcomes, groups, options);
    classifier.outcome = std::move(learned.model);
    for (std::size_t i = 0; i < used_.size(); ++i) result_.left_out[i].answerable = learned.held_out[i];
    result_.model.classifier = std::move(classifier);
  }

  void learn_detector(const OutcomeOptions& options) {
    Outcomes outcomes;
    std::vector<std::uint64_t> groups;
    std::vector<std::size_t> judged;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!result_.left_out[i].detected) continue;
      outcomes.add(detector_inputs_[i], result_.left_out[i].answer_right);
      if (!result_.detects_written) outcomes.log_odds.push_back(known_[i]);
      groups.push_back(fold_of_[i]);
      judged.push_back(i);
    }
    auto learned = learn_outcomes(outcomes, groups, options);
    std::vector<CalibrationRow> rows;
    for (std::size_t i = 0; i < used_.size(); ++i)
      rows.push_back({0, static_cast<std::uint32_t>(question(i).database), result_.left_out[i].feasible, false});
    for (std::size_t k = 0; k < judged.size(); ++k) {
      auto& left_out = result_.left_out[judged[k]];
      left_out.correct = learned.held_out[k];
      rows[judged[k]].confidence = static_cast<float>(left_out.correct);
      rows[judged[k]].right = left_out.answer_right;
    }
    result_.model.detector =
        ErrorDetector{std::move(learned.model), !result_.detects_written, Calibration(std::move(rows))};
  }

  const std::shared_ptr<const ParserModel>& start_;
  const std::vector<std::shared_ptr<SandboxSource>>& sources_;
  const std::vector<UserQuestion>& questions_;
  const AdaptingOptions& options_;
  std::vector<AdaptedDatabase> databases_{};
  std::vector<std::size_t> used_{};     // numbers of the questions that can be used
  std::vector<std::size_t> fold_of_{};  // of each used question, as all that follow
  std::vector<JudgedQuestion> judged_{};
  CrossFit<TreeEnsemble> choice_{};
  CrossFit<TreeEnsemble> confidence_{};
  std::vector<HeldOutAnswer> answers_{};
  std::vector<std::vector<float>> question_inputs_{};
  std::vector<float> known_{};  // log-odds that the parser's answer is right
  std::vector<std::vector<float>> detector_inputs_{};
  Adaptation result_{};
};

}  // namespace

Result<Adaptation> adapt_model(const std::shared_ptr<const ParserModel>& start,
                               const std::vector<std::shared_ptr<SandboxSource>>& databases,
                               const std::vector<UserQuestion>& questions, const AdaptingOptions& options) {
  return Adapter(start, databases, questions, options).run();
}

}  // namespace trustsql::semparse
