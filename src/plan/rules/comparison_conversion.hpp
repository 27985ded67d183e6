// Literals are converted once and for all, and comparisons that convert nothing say so.
//
// SQLite applies the affinity of a comparison to both operands before it compares them (datatype3.html, section 4.2).
//
// Law        compare(x, c, affinity) = compare(x, affinity(c), affinity)
//            compare(x, y, affinity) = compare(x, y, none)      if the affinity changes neither x nor y
//            compare(x, y, collation) = compare(x, y, BINARY)   if one of them is never a text
// Holds      the first for the affinity TEXT only if x is never a number: SQLite turns numbers into texts only where
// the other
//            operand is one. The second: a column of affinity A holds nothing that A would still convert, since A was
//            applied when it was stored; virtual tables excepted. Types of expressions say the rest.
// Example    year = '2014' with year INT   becomes   year = 2014
//            name = 7 with name TEXT       becomes   name = '7'
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule comparison_conversion;

}  // namespace trustsql::plan::rules
