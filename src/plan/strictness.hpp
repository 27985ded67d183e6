// Which attributes, if NULL, make an expression NULL or not true.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// The attributes in which `expr` is strict: it is NULL if any one of them is NULL.
AttributeSet strict(const Expr& expr);

// Whether the form of the expression rules out that its value is a blob. If SQLite was built with
// SQLITE_LIKE_DOESNT_MATCH_BLOBS, LIKE and GLOB of a blob are 0 whatever the other operand is, so they are not strict.
bool is_never_blob(const Expr& expr);

// The attributes that cannot be NULL if `expr` is true.
AttributeSet null_rejected(const Expr& expr, const Plan& plan);

}  // namespace trustsql::plan
