// Lists of values in one form: IN for two or more values, = for one, without duplicates; OR of such lists is one
// list.
//
// Law        x IN (a) = (x = a); x IN (a, a, b) = x IN (a, b); x = a OR x = b OR x IN (c) = x IN (a, b, c);
//            if only truth matters: x IN (a, NULL) = x IN (a), and x NOT IN (a, NULL) is never true
// Holds      if the comparisons have the same affinity and collation, a, b and c are literals, and x is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample in_list_normalisation_example{
    .before = "SELECT name FROM p WHERE city = 'a' OR city = 'b'",
    .after = "Project p.name (Filter p.city IN ('a', 'b') (Scan p (name, city)))",
};
extern const Rule in_list_normalisation;

}  // namespace trustsql::plan::rules
