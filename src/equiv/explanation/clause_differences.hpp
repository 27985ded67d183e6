// How the clauses of two queries differ, in words.
#pragma once

#include <string>
#include <vector>

#include "equiv/explanation/query_clauses.hpp"

namespace trustsql::equiv::explanation {

// What the second query does otherwise than the first, whose name in the text is `first`: verb phrases whose subject is
// the second query, such as "requires age > 30 instead of age > 20"; the most important first. Empty if no clause
// differs.
std::vector<std::string> clause_differences(const QueryClauses& a, const QueryClauses& b, const std::string& first);

}  // namespace trustsql::equiv::explanation
