// Whether the rows of the tables alone determine the result of a query.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace trustsql::plan {

// The reason why the result of a query is not determined by the rows of its tables alone, but also by the order in
// which SQLite happens to read them: a LIMIT with ties, a bare column that the group does not determine, group_concat,
// random() and so on. Empty if the result is determined, up to the order of its rows (with an ORDER BY, of rows with
// equal keys). "1 and 1.0 are merged" and the like mean that only one of two equal but not identical values is visible.
std::string order_dependence(const Plan& plan);

// The ORDER BY of the query itself if its plan still has it; otherwise nullptr.
const Sort* order_of_result(const Rel& root);

// Whether no two rows agree on all keys of `sort`.
bool is_total_order(const Sort& sort, const Plan& plan);

}  // namespace trustsql::plan
