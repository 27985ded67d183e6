// The second step to a skeleton: names in lower case and without quotes, aliases normalised. No schema is needed: an
// unqualified name is resolved by the aliases of its own SELECT, then by those of the enclosing ones.
#pragma once

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql::skeleton {

// Errors: limit_exceeded if replacing aliases would make the query much longer.
Status normalise_names(ast::Query& query);

}  // namespace trustsql::skeleton
