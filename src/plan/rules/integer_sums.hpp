// Comparisons of a sum with a constant.
//
// Law        x + c < k = x < k - c, the same for -, on either side of x, and for every comparison except IS
// Holds      if x is always an integer or NULL, as for integer_bounds, for integers c up to 2^53 and k up to 2^62: if
//            x + c does not fit into 64 bits, SQLite computes a real that is still on the same side of k.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample integer_sums_example{
    .before = "SELECT name FROM p WHERE id + 10 > 100",
    .after = "Project p.name (Filter p.id > 90 (Scan p (id, name)))",
};
extern const Rule integer_sums;

}  // namespace trustsql::plan::rules
