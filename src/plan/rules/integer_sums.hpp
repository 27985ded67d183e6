// Sums with integer constants.
//
// Law        x + c < k = x < k - c, the same for -, on either side of x, and for every comparison except IS;
//            (x + c) + d = x + (c + d), in any order, for c and d of the same sign
// Holds      if x is always an integer or NULL, as for integer_bounds, for integers c up to 2^53 and k up to 2^62: if
//            x + c does not fit into 64 bits, SQLite computes a real that is still on the same side of k. For c + d up
//            to 512: if one of the sums does not fit, both are the real 2^63 or -2^63.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample integer_sums_example{
    .before = "SELECT name FROM p WHERE id + 10 > 100",
    .after = "Project p.name (Filter p.id > 90 (Scan p (id, name)))",
};
extern const Rule integer_sums;

}  // namespace trustsql::plan::rules
