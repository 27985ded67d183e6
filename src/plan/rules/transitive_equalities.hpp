// Equalities among columns in one form, and other conditions on the representative of each class of equal columns, or
// on the constant that they equal.
//
// Law        filter[a = b, b = c, p(c)](R) = filter[a = b, a = c, p(a)](R);
//            filter[a = 5, p(a)](R) = filter[a = 5, p(5)](R);
//            filter[a = b, b = 5, p(b)](R) = filter[a = 5, b = 5, p(5)](R) = filter[a = 5, b = 5, a = b, p(5)](R). The
//            rule chooses the last form, in which each of the joined relations has its own condition, if they are base
//            tables; otherwise it adds no condition with a constant, but may move one to the first column.
// Holds      for columns that compare without conversion, under BINARY, and whose equal values are identical (not 1
//            beside 1.0): one may then replace the other in any condition. In the conditions of inner joins and of the
//            filters on and between them, which hold together.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample transitive_equalities_example{
    .before = "SELECT c.v FROM c, p, p AS q WHERE c.cid = p.id AND p.id = q.id AND q.id > 3",
    .after =
        "Project c.v (Join inner on c.cid = p_2.id (Join inner on c.cid = p.id (Filter c.cid > 3 (Scan c (cid, v)), "
        "Scan p (id)), Scan p AS p_2 (id)))",
};
extern const Rule transitive_equalities;

}  // namespace trustsql::plan::rules
