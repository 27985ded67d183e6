// RIGHT JOIN becomes LEFT JOIN.
//
// Law        R RIGHT JOIN[p] S = S LEFT JOIN[p] R, with the columns of R first
// Holds      always; table-valued functions stay where they are, since SQLite 3.40 finds no matches for them in a
//            RIGHT JOIN.
// Example    SELECT * FROM a RIGHT JOIN b ON a.id = b.id
//            becomes   b LEFT JOIN a under a projection to a's columns, b's columns
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule right_to_left_join;

}  // namespace trustsql::plan::rules
