// How much of a search is left: steps, and levels of recursion. Everything that may take long pays for it; when nothing
// is left, questions are answered with "not known".
#pragma once

namespace trustsql::equiv {

class Budget {
 public:
  explicit Budget(int steps) : left_(steps) {}

  // False once more has been spent than there was.
  bool spend(int steps = 1) {
    left_ = left_ > steps ? left_ - steps : -1;
    return left_ >= 0;
  }
  void exhaust() { left_ = -1; }
  bool exhausted() const { return left_ < 0; }

  // A level of recursion, while it lives. Every recursion of the search is on one count, which nothing resets, so that
  // the stack is bounded: a level takes two to six kilobytes of it.
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

  int left_;
  int levels_ = 0;
};

}  // namespace trustsql::equiv
