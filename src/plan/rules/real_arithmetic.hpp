// Calculations with reals in one form: shares and percentages are written in many ways.
//
// Law        CAST(x AS REAL) * y = x * y, the same for +, - and /, and with the sides exchanged, if y is a real;
//            CAST(x AS REAL) * 100 = x * 100.0, the same for other whole numbers, +, - and / (and with the sides
//            exchanged);
//            x * 1.0 = CAST(x AS REAL), where none of these applies; x / CAST(y AS REAL) = CAST(x AS REAL) / y
// Holds      for x and y that are numbers or NULL, and whole numbers of up to 2^53: SQLite converts both operands to
//            reals if one of them is a real. Text is not converted alike by CAST and by an operator. Not for %, which
//            converts both to integers.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample real_arithmetic_example{
    .before = "SELECT CAST(id AS REAL) * 100 / cid, id * 1.0 / cid FROM p, c",
    .after =
        "Project p.id * 100.0 / c.cid AS expr, CAST(p.id AS REAL) / c.cid AS expr_2 (Join inner (Scan p (id), Scan c "
        "(cid)))",
};
extern const Rule real_arithmetic;

}  // namespace trustsql::plan::rules
