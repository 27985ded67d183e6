// The second step to a skeleton: names in lower case and without quotes, aliases normalised. No schema is needed; an
// unqualified name is taken for what its own SELECT, and then the ones around it, say of it.
#pragma once

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql::skeleton {

// Errors: limit_exceeded where writing out aliases would make the query much longer.
Status normalise_names(ast::Query& query);

}  // namespace trustsql::skeleton
