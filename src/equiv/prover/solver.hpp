// Arithmetic of integers, for what the order of values alone (orders.hpp) does not decide.
//
// An optional helper: built with TRUSTSQL_WITH_Z3 it asks Z3 (de Moura and Bjørner 2008), else it knows nothing.
// Numbers are taken as SQLite computes them: 64 bits, and reals where an integer would not fit
// (https://sqlite.org/datatype3.html, section 4.2); no overflow is assumed away. Only "contradictory" is an answer to
// rely on.
#pragma once

#include <cstdint>
#include <memory>

#include "equiv/prover/orders.hpp"

namespace trustsql::equiv {

class IntegerSolver {
 public:
  // Whether there is a solver in this build. Without one nothing is ever contradictory.
  static bool available();

  IntegerSolver();
  ~IntegerSolver();
  IntegerSolver(const IntegerSolver&) = delete;
  IntegerSolver& operator=(const IntegerSolver&) = delete;

  using Number = int;
  // Any integer of 64 bits that is not NULL.
  Number unknown();
  Number constant(std::int64_t value);
  Number sum(Number a, Number b);
  Number difference(Number a, Number b);
  Number product(Number a, Number b);

  void require(Number a, Relations relations, Number b);

  // Whether no numbers are as required. Comes to an end after a fixed number of steps, with "no".
  bool contradictory();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::equiv
