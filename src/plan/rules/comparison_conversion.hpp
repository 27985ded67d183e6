// Converts literals in advance, and removes conversions without effect from comparisons.
//
// SQLite applies the affinity of a comparison to both operands before it compares them (datatype3.html, section
// 4.2).
//
// Law        compare(x, c, affinity) = compare(x, affinity(c), affinity)
//            compare(x, y, affinity) = compare(x, y, none)      if the affinity changes neither x nor y
//            compare(x, y, collation) = compare(x, y, BINARY)   if one of them is never text
//            compare(x, -0.0) = compare(x, 0.0)                 except under the affinity TEXT
// Holds      the first for the affinity TEXT only if x is never a number: SQLite converts numbers to text only if the
//            other operand is text. The second: a column of affinity A holds no value that A would still convert,
//            since A was applied when the value was stored; except in virtual tables. For expressions, their types
//            decide.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample comparison_conversion_example{
    .before = "SELECT name FROM p WHERE age = '2'",
    .after = "Project p.name (Filter p.age = 2 (Scan p (name, age)))",
};
extern const Rule comparison_conversion;

}  // namespace trustsql::plan::rules
