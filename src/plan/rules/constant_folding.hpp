// An expression over literals is replaced by its value.
//
// Law        f(c1, ..., cn) = the literal that SQLite computes for it
// Holds      if evaluate() is certain of SQLite's result: overflow, division, conversions and NULL included.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample constant_folding_example{
    .before = "SELECT name FROM p WHERE id > 10 / 4 + 1",
    .after = "Project p.name (Filter p.id > 3 (Scan p (id, name)))",
};
extern const Rule constant_folding;

}  // namespace trustsql::plan::rules
