// Makes a wrong proof small: fewer nodes in both queries, fewer rows in the database.
#pragma once

#include <vector>

#include "unit/equiv/families/judge.hpp"

namespace trustsql::families {

struct WrongPair {
  Node a;
  Node b;
  Filling filling;
};

// Shrinks `pair` as long as `prover` proves it and differs by `kind` on its own filling or on one of `others`. At most
// `max_trials` pairs are tried.
WrongPair shrink(WrongPair pair, Difference kind, const Prover& prover, Ground& ground, const Setting& setting,
                 const std::vector<Filling>& others, int max_trials);

}  // namespace trustsql::families
