// An expression over literals is replaced by its value.
//
// Law        f(c1, ..., cn) = the literal that SQLite computes for it
// Holds      if evaluate() is certain of SQLite's result: overflow, division, conversions and NULL included.
// Example    WHERE x > 10 / 4 + 1   becomes   WHERE x > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule constant_folding;

}  // namespace trustsql::plan::rules
