#include "score/report/error_explanation.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

#include "base/parallel_for.hpp"
#include "equiv/comparer_pool.hpp"
#include "equiv/difference_explanation.hpp"
#include "score/set_match/error_kind.hpp"
#include "sql/parser.hpp"
#include "sql/query_shape.hpp"

namespace trustsql {

namespace {

using Clock = std::chrono::steady_clock;

// A pair of queries on one database, and the answers that have it.
struct ComparedPair {
  std::string gold;
  std::string prediction;
  std::shared_ptr<SandboxSource> source;
  std::vector<std::size_t> answers;
  bool was_run = false;  // to judge one of the answers, and without an error
};

std::string kind_of(const AnswerTexts& texts, const std::string& prediction, const ParseOptions& grammar) {
  const auto gold = parse_query(*texts.gold, grammar);
  if (!gold.ok()) return {};
  const auto predicted = parse_query(prediction, grammar);
  const auto kind = predicted.ok() ? error_kind(*gold, *predicted) : ErrorKind::others;
  return kind ? std::string(error_kind_name(*kind)) : std::string();
}

class Explanation {
 public:
  Explanation(const ExplanationOptions& options, const ExplanationContext& context)
      : options_(options), context_(context), pool_(context.limits) {}

  Result<std::vector<ExplainedError>> run(std::vector<WrongAnswer> answers) {
    errors_.resize(answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      errors_[i].answer = std::move(answers[i]);
      prepare(i);
    }
    deadline_ = Clock::now() + options_.budget;
    const auto poll = [&] {
      if (!stopping_.load() && context_.interrupted && context_.interrupted()) stopping_.store(true);
      return stopping_.load();
    };
    // A single thread is the caller's own, where nobody polls while a comparison runs.
    on_callers_thread_ = std::min(options_.threads, pairs_.size()) <= 1;
    if (!poll()) {
      parallel_for(
          pairs_.size(), options_.threads, [&](std::size_t pair) { compare(pairs_[pair]); }, poll);
    }
    if (failure_) return *std::move(failure_);
    if (stopping_.load()) return Error{ErrorCode::interrupted, "interrupted"};
    return std::move(errors_);
  }

 private:
  // The kind of an error, and what is to be compared for it.
  void prepare(std::size_t index) {
    auto& error = errors_[index];
    const auto& texts = error.answer.texts;
    if (texts.error_kind) error.kind = *texts.error_kind;
    if (error.answer.reliability_case != ReliabilityCase::III || !texts.gold || !texts.prediction) return;
    const auto prediction = clean_prediction(*texts.prediction, options_.cleaning);
    if (!prediction) return;
    if (error.kind.empty()) error.kind = kind_of(texts, *prediction, context_.dialect.grammar());
    if (options_.budget.count() == 0) return;
    auto [source, is_new] = sources_.try_emplace(texts.database);
    if (is_new) {
      if (auto opened = context_.open(texts.database); opened.ok()) source->second = *opened;
    }
    if (source->second == nullptr) return;
    const auto key = std::tie(*texts.gold, *prediction, texts.database);
    const auto [known, is_new_pair] = numbers_.try_emplace(key, pairs_.size());
    if (is_new_pair) pairs_.push_back({*texts.gold, *prediction, source->second, {}, false});
    auto& pair = pairs_[known->second];
    pair.answers.push_back(index);
    pair.was_run = pair.was_run || (error.answer.was_run && !error.answer.failure);
  }

  void fail(Error error) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(error);
    stopping_.store(true);
  }

  void compare(const ComparedPair& pair) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0) return settle(pair, ExplainedError::Search::no_time, {});
    auto comparer = pool_.lease(*pair.source);
    if (!comparer.ok()) return;  // the schema cannot be read: there is nothing to search in
    equiv::ComparisonOptions comparison;
    comparison.timeout = std::min(options_.budget_of_pair, left);
    comparison.rows = has_outermost_order_by(pair.gold) ? equiv::RowsAs::list : equiv::RowsAs::bag;
    if (!options_.columns_in_order) comparison.ignored.add(equiv::Deviation::column_order);
    comparison.stop = [this] { return is_stopped(); };
    auto compared = (*comparer)->compare(pair.gold, pair.prediction, comparison, context_.dialect);
    if (!compared.ok()) return fail(std::move(compared).error());
    if (compared->reason == equiv::UnknownReason::invalid_query) return;
    switch (compared->verdict) {
      case equiv::Verdict::proved: return settle(pair, ExplainedError::Search::same, {});
      case equiv::Verdict::refuted:
        settle(pair, ExplainedError::Search::found, compared->counterexample);
        return describe(pair, *compared->counterexample, *(*comparer)->catalog());
      case equiv::Verdict::unknown: settle(pair, ExplainedError::Search::unknown, {}); break;
    }
    if (!pair.was_run) return;
    if (auto own = own_results(pair)) {
      for (const auto index : pair.answers) errors_[index].own = own;
    }
  }

  bool is_stopped() {
    if (on_callers_thread_ && context_.interrupted && context_.interrupted()) stopping_.store(true);
    return stopping_.load();
  }

  // nullopt: one of the queries fails, or takes too long.
  std::optional<OwnResults> own_results(const ComparedPair& pair) {
    auto sandbox = pair.source->lease();
    if (!sandbox.ok()) return std::nullopt;
    const auto end = std::min(deadline_, Clock::now() + options_.budget_of_pair);
    (*sandbox)->set_stop([&] { return is_stopped() || Clock::now() >= end; });
    auto gold = (*sandbox)->run(pair.gold);
    if (!gold.ok()) return std::nullopt;
    auto prediction = (*sandbox)->run(pair.prediction);
    if (!prediction.ok()) return std::nullopt;
    OwnResults own;
    own.gold_rows = gold->row_count();
    own.prediction_rows = prediction->row_count();
    gold->truncate(OwnResults::most_rows);
    prediction->truncate(OwnResults::most_rows);
    own.gold = *std::move(gold);
    own.prediction = *std::move(prediction);
    return own;
  }

  // No two pairs have an answer in common, so this needs no lock.
  void settle(const ComparedPair& pair, ExplainedError::Search search,
              const std::optional<equiv::Counterexample>& counterexample) {
    for (const auto index : pair.answers) {
      errors_[index].search = search;
      errors_[index].counterexample = counterexample;
    }
  }

  void describe(const ComparedPair& pair, const equiv::Counterexample& counterexample, const Catalog& catalog) {
    const auto difference =
        equiv::explain_difference(pair.gold, pair.prediction, counterexample, catalog, context_.dialect,
                                  {"the gold query", "the prediction"}, [this] { return is_stopped(); });
    for (const auto index : pair.answers) errors_[index].difference = difference;
  }

  const ExplanationOptions& options_;
  const ExplanationContext& context_;
  std::vector<ExplainedError> errors_;
  std::map<std::optional<std::string>, std::shared_ptr<SandboxSource>> sources_;  // null: cannot be opened
  std::map<std::tuple<std::string, std::string, std::optional<std::string>>, std::size_t> numbers_;
  std::vector<ComparedPair> pairs_;
  Clock::time_point deadline_;
  equiv::ComparerPool pool_;
  std::atomic<bool> stopping_ = false;
  bool on_callers_thread_ = true;
  std::mutex mutex_;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::vector<ExplainedError>> explain_errors(std::vector<WrongAnswer> answers, const ExplanationOptions& options,
                                                   const ExplanationContext& context) {
  return Explanation(options, context).run(std::move(answers));
}

}  // namespace trustsql
