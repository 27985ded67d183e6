// Expressions of a plan as text, for people to read.
#pragma once

#include <string>

#include "plan/show/names.hpp"

namespace trustsql::plan {

// In SQL syntax, with columns and subqueries under their shown names. The collation of a comparison is shown if it is
// not BINARY; the affinity is not shown.
std::string expr_text(const Expr& expr, const ShownNames& names);

}  // namespace trustsql::plan
