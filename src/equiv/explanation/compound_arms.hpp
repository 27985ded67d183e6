// The arms of compound queries, to be compared with each other.
#pragma once

#include <vector>

#include "equiv/explanation/query_clauses.hpp"

namespace trustsql::equiv::explanation {

// Arms of a compound query whose tables have the names that they would have in a query of their own; clauses_of() tells
// the tables of all arms apart.
std::vector<QueryClauses> named_apart(std::vector<QueryClauses> arms);

}  // namespace trustsql::equiv::explanation
