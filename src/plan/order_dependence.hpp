// Whether the rows of the tables alone decide what a query gives.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace trustsql::plan {

// Why what the query of `plan` gives is not fixed by the rows of its tables alone, but by an order in which SQLite
// happens to meet them: a LIMIT with ties, a bare column that the group does not determine, group_concat, random() and
// so on. Empty if it is fixed, up to the order of the rows of the result (and, under an ORDER BY, of rows with equal
// keys). "1 and 1.0 are merged" and the like say that one of two values that are equal but not the same is seen.
std::string order_dependence(const Plan& plan);

// The ORDER BY of the query itself, if it is left in its plan; else nullptr.
const Sort* order_of_result(const Rel& root);

// Whether no two rows agree in all keys of `sort`.
bool is_total_order(const Sort& sort, const Plan& plan);

}  // namespace trustsql::plan
