// A condition on an aggregate that no NULL fulfils drops the groups in which there is nothing but NULLs.
//
// Law        filter[p(f(x))](group[k](f(x), g(x))(R)) = filter[p(f(x))](group[k](f(x), g(x))(filter[x IS NOT NULL](R)))
// Holds      if p(NULL) is not true, f is MIN, MAX, SUM or AVG, and every aggregate is one of these, COUNT or TOTAL, of the same
//            column x: then none of them looks at the rows that go. Equal keys must be identical: of 'a' and 'A', equal by NOCASE,
//            a group shows any.
// Example    SELECT p.id FROM p LEFT JOIN c ON p.id = c.pid GROUP BY p.id HAVING max(c.v) > 1   becomes an inner join
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule having_not_null;

}  // namespace trustsql::plan::rules
