#include "score/execution/batch.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <tuple>

#include "base/parallel_for.hpp"

namespace trustsql {

namespace {

// The most items in one unit of work: enough to make the cost of a lease small, few enough to keep all threads busy.
constexpr std::size_t max_chunk = 16;

// An item before anything is run: whether its question is feasible, and its prediction after cleaning.
struct Answer {
  bool feasible;
  std::optional<std::string> prediction;
  bool needs_execution() const { return feasible && prediction.has_value(); }
};

Answer answer_of(const BatchItem& item, const ExecOptions& options) {
  Answer answer{item.gold.has_value(), std::nullopt};
  if (item.prediction) answer.prediction = clean_prediction(*item.prediction, options.cleaning);
  return answer;
}

// Runs the queries of an item and scores it. An Error ends the batch.
Result<ItemScore> score_with(const BatchItem& item, const Answer& answer, ReadWindow& window, ExecContext context,
                             OnGoldError on_gold_error) {
  context.options.dataset = item.dataset.value_or(context.options.dataset);
  TRUSTSQL_ASSIGN_OR_RETURN(auto outcome, exec_match(*item.gold, *answer.prediction, window, context));
  if (outcome.gold_error) {
    if (on_gold_error == OnGoldError::error) return std::move(*outcome.gold_error);
    return ItemScore{std::nullopt, std::move(outcome.gold_error)};
  }
  return ItemScore{classify(true, true, outcome.match), std::move(outcome.prediction_error)};
}

ExecContext context_for(const BatchOptions& options, ExecutionCache& cache, const SandboxSource& source) {
  return {options.exec, options.max_steps, &cache, source.identity()};
}

std::string name_of_item(const BatchOptions& options, std::size_t item) {
  return item < options.item_names.size() ? options.item_names[item]
                                          : "row " + std::to_string(options.first_row + item);
}

class ScoringRun {
 public:
  ScoringRun(std::span<const BatchItem> items, const BatchOptions& options, ExecutionCache& cache)
      : items_(items),
        options_(options),
        cache_(cache),
        answers_(items.size()),
        scores_(items.size()),
        first_failure_(items.size()) {}

  Result<std::vector<ItemScore>> run(const std::function<bool()>& interrupted) {
    prepare();
    // A single thread is the caller's own, where nobody polls while a query runs: the query itself must check.
    if (std::min(options_.threads, chunks_.size()) <= 1) stop_ = interrupted;
    const auto poll = [&] {
      // Repeated until all threads have stopped: an interrupt does not stop a query that has not begun yet.
      if (!stopping_.load() && !interrupted()) return false;
      stopping_.store(true);
      interrupt_all();
      return false;
    };
    parallel_for(
        chunks_.size(), options_.threads, [&](std::size_t chunk) { work(chunk); }, poll);
    if (stopping_.load()) return Error{ErrorCode::interrupted, "interrupted"};
    if (failure_) return std::move(*failure_);
    return std::move(scores_);
  }

 private:
  struct Chunk {
    std::size_t begin;  // index into order_
    std::size_t end;
  };

  // Classifies the items that need no execution, and sorts the others by database, then by gold query.
  void prepare() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      answers_[i] = answer_of(items_[i], options_.exec);
      if (answers_[i].needs_execution()) {
        order_.push_back(i);
      } else {
        scores_[i].reliability_case = classify(answers_[i].feasible, answers_[i].prediction.has_value(), false);
      }
    }
    const auto key = [&](std::size_t i) {
      return std::tuple(items_[i].source->identity(), std::string_view(*items_[i].gold), i);
    };
    std::sort(order_.begin(), order_.end(), [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
    const std::size_t size =
        std::clamp(order_.size() / (std::max<std::size_t>(options_.threads, 1) * 8), std::size_t{1}, max_chunk);
    for (std::size_t begin = 0; begin < order_.size();) {
      std::size_t end = begin + 1;
      while (end < order_.size() && end - begin < size &&
             items_[order_[end]].source->identity() == items_[order_[begin]].source->identity())
        ++end;
      chunks_.push_back({begin, end});
      begin = end;
    }
  }

  // Called from several threads, with different chunks.
  void work(std::size_t chunk) {
    if (stopping_.load()) return;
    SandboxSource& source = *items_[order_[chunks_[chunk].begin]].source;
    auto lease = source.lease();
    if (!lease.ok()) return fail(lowest(chunk), std::move(lease).error());
    const Registration registration(*this, **lease);
    if (stop_) (*lease)->set_stop(stop_);
    const ExecContext context = context_for(options_, cache_, source);
    ReadWindow window(**lease);
    for (std::size_t k = chunks_[chunk].begin; k < chunks_[chunk].end && !stopping_.load(); ++k) {
      const std::size_t i = order_[k];
      if (i > first_failure_.load()) continue;  // an earlier item has failed already
      auto score = score_with(items_[i], answers_[i], window, context, options_.on_gold_error);
      if (score.ok()) {
        scores_[i] = std::move(score).value();
      } else {
        if (score.error().code == ErrorCode::interrupted) stopping_.store(true);
        fail(i, std::move(score).error());
      }
    }
  }

  std::size_t lowest(std::size_t chunk) const {
    return *std::min_element(order_.begin() + static_cast<std::ptrdiff_t>(chunks_[chunk].begin),
                             order_.begin() + static_cast<std::ptrdiff_t>(chunks_[chunk].end));
  }

  // Keeps the failure of the first item that fails.
  void fail(std::size_t item, Error error) {
    const std::lock_guard lock(mutex_);
    if (item >= first_failure_.load()) return;
    first_failure_.store(item);
    failure_ = error.code == ErrorCode::interrupted ? std::move(error)
                                                    : std::move(error).with_prefix(name_of_item(options_, item));
  }

  // Registers a sandbox as in use for the lifetime of this object.
  class Registration {
   public:
    Registration(ScoringRun& batch, Sandbox& sandbox) : batch_(batch), sandbox_(sandbox) {
      const std::lock_guard lock(batch_.mutex_);
      batch_.in_use_.push_back(&sandbox_);
    }
    ~Registration() {
      const std::lock_guard lock(batch_.mutex_);
      std::erase(batch_.in_use_, &sandbox_);
    }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    ScoringRun& batch_;
    Sandbox& sandbox_;
  };

  void interrupt_all() {
    const std::lock_guard lock(mutex_);
    for (Sandbox* sandbox : in_use_) sandbox->interrupt();
  }

  std::span<const BatchItem> items_;
  const BatchOptions& options_;
  ExecutionCache& cache_;
  std::vector<Answer> answers_;
  std::vector<std::size_t> order_;  // indices of the items to run, in the order of execution
  std::vector<Chunk> chunks_;
  std::vector<ItemScore> scores_;
  std::function<bool()> stop_;  // polled by running queries, if set
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> first_failure_;  // index of the first item that failed; items_.size() if none has
  std::mutex mutex_;                        // guards the members below
  std::optional<Error> failure_;
  std::vector<Sandbox*> in_use_;
};

}  // namespace

Result<std::vector<ItemScore>> score_batch(std::span<const BatchItem> items, const BatchOptions& options,
                                           ExecutionCache& cache, const std::function<bool()>& interrupted) {
  return ScoringRun(items, options, cache).run(interrupted);
}

Result<ItemScore> score_item(const BatchItem& item, const BatchOptions& options, ExecutionCache& cache,
                             const std::function<bool()>& interrupted) {
  const Answer answer = answer_of(item, options.exec);
  if (!answer.needs_execution())
    return ItemScore{classify(answer.feasible, answer.prediction.has_value(), false), std::nullopt};
  TRUSTSQL_ASSIGN_OR_RETURN(auto lease, item.source->lease());
  lease->set_stop(interrupted);
  ReadWindow window(*lease);
  return score_with(item, answer, window, context_for(options, cache, *item.source), options.on_gold_error);
}

}  // namespace trustsql
