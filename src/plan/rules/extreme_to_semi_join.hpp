// A comparison with the least or the greatest of all values asks for one value.
//
// Law        R JOIN[r > m] aggregate[m = min(x)](S) = R semi-join[r > x] S, the same for >=, and for < and <= with max
// Holds      if nothing above uses m. MIN and MAX compare as the condition does: under the same collation, and
//            without a conversion of x. Over no rows m is NULL, and the condition not true.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample extreme_to_semi_join_example{
    .before = "SELECT name FROM p JOIN (SELECT min(v) AS least FROM c) ON age > least",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Project p.name (Join semi on p.age > c.v (Scan p (name, age), Scan c (v)))",
};
extern const Rule extreme_to_semi_join;

}  // namespace trustsql::plan::rules
