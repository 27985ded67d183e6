// Equalities among columns in one form, and other conditions on the representative of each class of equal columns.
//
// Law        filter[a = b, b = c, p(c)](R) = filter[a = b, a = c, p(a)](R);
//            filter[a = b, b = 5, p(b)](R) = filter[a = 5, b = 5, p(5)](R) = filter[a = 5, a = b, p(5)](R)
// Holds      for columns that compare without conversion, under BINARY, and whose equal values are identical (not 1
//            beside 1.0): one may then replace the other in any condition. In the conditions of inner joins and of the
//            filters on and between them, which hold together.
// Example    WHERE a.id = b.id AND b.id = c.id AND c.id > 3   becomes   WHERE a.id = b.id AND a.id = c.id AND a.id > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule transitive_equalities;

}  // namespace trustsql::plan::rules
