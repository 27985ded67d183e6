// The remaining budget of a search: steps, and levels of recursion. Everything that may take long spends from it;
// when it is exhausted, questions are answered with "not known".
#pragma once

namespace trustsql::equiv {

class Budget {
 public:
  explicit Budget(int steps) : left_(steps) {}

  // Returns false once more has been spent than was available.
  bool spend(int steps = 1) {
    left_ = left_ > steps ? left_ - steps : -1;
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

  int left_;
  int levels_ = 0;
};

}  // namespace trustsql::equiv
