// Expressions of a plan as text, for people to read.
#pragma once

#include <string>

#include "plan/show/names.hpp"

namespace trustsql::plan {

// In the spelling of SQL, with columns and subqueries by their shown names. A comparison by another collation than
// BINARY says so; by which affinity it converts is not shown.
std::string expr_text(const Expr& expr, const ShownNames& names);

}  // namespace trustsql::plan
