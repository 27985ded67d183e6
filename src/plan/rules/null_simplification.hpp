// Tests for NULL whose result is known.
//
// Law        x IS NULL = 0, x IS NOT NULL = 1, coalesce(x, y) = x if x is never NULL; coalesce(x, NULL, y) =
//            coalesce(x, x, y) = coalesce(x, y);
//            x IS NULL, with NULL as a literal operand, becomes the test x IS NULL; x IS y = (x = y) if neither can be
//            NULL; x = NULL is NULL;
//            if only truth matters, x IS y = (x = y) if one of them cannot be NULL, and nullif(x, y) < z = x < z AND
//            (x = y) IS NOT TRUE, the same for the other comparisons;
//            if only truth matters, coalesce(x, c) < d = x < d for constants c and d, with OR x IS NULL if c < d is
//            true; coalesce(x, y) IS NULL = x IS NULL AND y IS NULL; nullif(x, c) IS NULL = x IS NULL OR x = c for a
//            constant c; coalesce(nullif(n, i), i) = n for an integer n that is never NULL
// Holds      x is never NULL in the rows in question by its type, NOT NULL, or the filters below; for parts of primary
//            keys, under the assumption that they hold no NULL.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample null_simplification_example{
    .before = "SELECT count(*) FROM p WHERE id IS NOT NULL",
    .after = "Project count (Aggregate count(*) AS count (Filter 1 (Scan p (id))))",
};
extern const Rule null_simplification;

}  // namespace trustsql::plan::rules
