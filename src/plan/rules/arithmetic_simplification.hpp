// Removes arithmetic that changes nothing, and concatenates from left to right.
//
// Law        x + 0 = x - 0 = x * 1 = x / 1 = x; x * 1.0 = x / 1.0 = x; CAST(x AS INTEGER) = CAST(x AS NUMERIC) = x;
//            CAST(x AS TEXT) = x; CAST(x AS REAL) = x; x || (y || z) = (x || y) || z
// Holds      the first for x that is a number or NULL, with the integers 0 and 1: text would become a number; x + 0 = x
//            only if x is never -0.0, since -0.0 + 0 is 0.0. The others for x that is a real, an integer, a text and a
//            real, or NULL; for columns with such a declared type, under the assumption that they hold only values of
//            that type. Not -(a - b) = b - a: if one of the differences is 2^63, it is a real, and the other one an
//            integer. Not x + 0.0 = x, for the same reason.
//            CAST(x AS TEXT) only for columns of tables: it removes the subtype of a JSON function's result.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample arithmetic_simplification_example{
    .before = "SELECT (id + age) * 1 FROM p",
    .after = "Project p.id + p.age AS expr (Scan p (id, age))",
};
extern const Rule arithmetic_simplification;

}  // namespace trustsql::plan::rules
