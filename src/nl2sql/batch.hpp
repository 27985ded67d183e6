// Many questions at once: a bounded number of threads, results as they come.
//
// A question spends nearly all of its time waiting for a model, so there are as many threads as questions under way,
// and each does the stages of one question after the other. They live inside this object: its destructor stops and
// joins them.
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

class Batch {
 public:
  // Attempts question `index`; called from several threads at once, once for each index in order. What it throws
  // is an error of next(), after which no further question is begun.
  using Work = std::function<Result<Attempt>(std::size_t index)>;

  // Begins at once, at most `concurrency` questions at a time (at least 1); 1 means that next() itself does the work.
  // Work that is under way when this is destroyed is waited for: whoever destroys it early has the work told to stop.
  Batch(std::size_t count, std::size_t concurrency, Work work);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  struct Finished {
    std::size_t index;
    Result<Attempt> attempt;
  };
  // The next that is finished, in whatever order; nullopt after the last. Meanwhile calls `poll` at least every 50 ms;
  // once that returns true no further question is begun, and the call ends with `interrupted`.
  Result<std::optional<Finished>> next(const std::function<bool()>& poll);

 private:
  void work_through() noexcept;
  std::optional<std::size_t> take();

  const std::size_t count_;
  const Work work_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::size_t begun_ = 0;
  std::size_t delivered_ = 0;
  bool stopped_ = false;
  std::optional<Error> failure_;  // what a thread has thrown
  std::list<Finished> finished_;
  std::vector<std::jthread> threads_;  // none where next() does the work
};

}  // namespace trustsql::nl2sql
