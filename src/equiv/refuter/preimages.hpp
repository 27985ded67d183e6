// What a column may hold so that an expression of it has a given value.
#pragma once

#include <vector>

#include "base/value.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// Values for the column in `expr` that make `expr` equal to `constant`, or nearly: for trim(x) = 'a' the texts 'a', '
// a' and 'a ', for strftime('%m', x) = '03' a day in March, for substr(x, 1, 2) = 'ab' a longer text that begins with
// 'ab', for abs(x) = 5 both 5 and -5. They are hints, not solutions: nothing depends on whether they are right. At most
// a few; `constant` alone if nothing better is known.
std::vector<Value> preimages(const plan::Expr& expr, const Value& constant);

}  // namespace trustsql::equiv
