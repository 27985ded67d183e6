// Lists of values in one form: IN for two or more of them, = for one; equal ones once; alternatives by OR together.
//
// Law        x IN (a) = (x = a); x IN (a, a, b) = x IN (a, b); x = a OR x = b OR x IN (c) = x IN (a, b, c);
//            where only truth counts: x IN (a, NULL) = x IN (a), and x NOT IN (a, NULL) is never true
// Holds      if the comparisons have one and the same affinity and collation, a, b and c are literals, and x is not
// random. Example    country = 'France' OR country = 'Italy'   becomes   country IN ('France', 'Italy')
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule in_list_normalisation;

}  // namespace trustsql::plan::rules
