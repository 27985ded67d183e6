// How much of a search is left. Everything that may take long pays for it; when nothing is left, questions are answered
// with "not known".
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

 private:
  int left_;
};

}  // namespace trustsql::equiv
