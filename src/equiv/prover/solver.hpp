// Integer arithmetic, for what the order of values alone (orders.hpp) does not decide.
//
// An optional component: if built with TRUSTSQL_WITH_Z3 it uses Z3 (de Moura and Bjørner 2008), otherwise it never
// finds anything. Numbers behave as SQLite computes them: 64-bit integers, and reals if an integer would not fit
// (https://sqlite.org/datatype3.html, section 4.2); overflow is modelled, not assumed away. Only the answer
// "contradictory" is reliable.
#pragma once

#include <cstdint>
#include <memory>

#include "equiv/prover/orders.hpp"

namespace trustsql::equiv {

class IntegerSolver {
 public:
  // Whether this build has a solver. Without one nothing is ever contradictory.
  static bool available();

  IntegerSolver();
  ~IntegerSolver();
  IntegerSolver(const IntegerSolver&) = delete;
  IntegerSolver& operator=(const IntegerSolver&) = delete;

  using Number = int;
  // Any 64-bit integer; never NULL.
  Number unknown();
  Number constant(std::int64_t value);
  Number sum(Number a, Number b);
  Number difference(Number a, Number b);
  Number product(Number a, Number b);

  void require(Number a, Relations relations, Number b);

  // Whether no numbers satisfy the requirements. Bounded: returns false after a fixed number of steps.
  bool contradictory();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::equiv
