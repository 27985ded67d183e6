// The remaining budget of a search: steps, time, and levels of recursion; `stop` may end it as well. Everything that
// may take long spends from it; when it is exhausted, questions are answered with "not known".
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace trustsql::equiv {

class Budget {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  // `stop`, if given, is called now and then; true ends the search.
  explicit Budget(int steps, Deadline deadline = Deadline::max(), std::function<bool()> stop = {})
      : left_(steps), deadline_(deadline), stop_(std::move(stop)) {}

  // Returns false once more has been spent than was available, or the time is over.
  bool spend(int steps = 1) {
    left_ = left_ > steps ? left_ - steps : -1;
    until_clock_ -= steps;
    if (until_clock_ < 0 && left_ >= 0) {
      until_clock_ = steps_per_look;
      if (deadline_ != Deadline::max() && std::chrono::steady_clock::now() >= deadline_) exhaust();
      if (stop_ && stop_()) exhaust();
    }
    return left_ >= 0;
  }
  void exhaust() { left_ = -1; }
  bool exhausted() const { return left_ < 0; }

  // A level of recursion, for the lifetime of the object. All recursions of the search share one count, which is
  // never reset, so that the stack is bounded: a level takes two to six kilobytes of it.
  //   const Budget::Level level(budget);
  //   if (!level) return false;  // too deep
  class Level {
   public:
    explicit Level(Budget& budget) : budget_(budget) { ++budget_.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --budget_.levels_; }
    explicit operator bool() const { return budget_.levels_ <= max_levels; }

   private:
    Budget& budget_;
  };

 private:
  static constexpr int max_levels = 500;
  static constexpr int steps_per_look = 1000;  // at the clock

  int left_;
  Deadline deadline_;
  std::function<bool()> stop_;
  int until_clock_ = steps_per_look;
  int levels_ = 0;
};

}  // namespace trustsql::equiv
