// Many questions at once: a bounded number of threads, results in order of completion.
//
// A question spends nearly all of its time waiting for a model, so there is one thread per question in progress, which
// runs its stages one after the other. The threads belong to this object: its destructor stops and joins them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/attempt.hpp"

namespace trustsql::nl2sql {

class AttemptBatch {
 public:
  // Attempts question `index`; called from several threads at once, once for each index, in order. If it throws, next()
  // returns an error, and no further question is begun.
  using Work = std::function<Result<Attempt>(std::size_t index)>;

  // Begins immediately, with at most `concurrency` questions at a time (at least 1); with 1, next() itself does the
  // work. The destructor waits for work in progress: a caller that destroys this early should tell the work to stop.
  AttemptBatch(std::size_t count, std::size_t concurrency, Work work);
  ~AttemptBatch();
  AttemptBatch(const AttemptBatch&) = delete;
  AttemptBatch& operator=(const AttemptBatch&) = delete;

  struct Finished {
    std::size_t index;
    Result<Attempt> attempt;
  };
  // The next finished question, in any order; nullopt after the last. While waiting, calls `poll` at least every 50 ms;
  // once that returns true, no further question is begun, and the call returns the error `interrupted`. Errors: that of
  // an exception from `work`.
  Result<std::optional<Finished>> next(const std::function<bool()>& poll);

 private:
  void work_through() noexcept;
  void attempt(std::size_t index) noexcept;
  std::optional<std::size_t> take();

  const std::size_t count_;
  const Work work_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::size_t begun_ = 0;
  std::size_t delivered_ = 0;
  bool stopped_ = false;
  std::optional<Error> failure_;  // an exception thrown by work_
  std::list<Finished> finished_;
  std::vector<std::jthread> threads_;  // empty if next() does the work
};

}  // namespace trustsql::nl2sql
