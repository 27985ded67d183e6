// Comparisons of a sum with a constant.
//
// Law        x + c < k = x < k - c, the same for -, on either side of x, and for every comparison except IS
// Holds      if x is always an integer or NULL, as for integer_bounds, for integers c up to 2^53 and k up to 2^62: if
//            x + c does not fit into 64 bits, SQLite computes a real that is still on the same side of k.
// Example    WHERE id + 10 > 100   becomes   WHERE id > 90
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule integer_sums;

}  // namespace trustsql::plan::rules
