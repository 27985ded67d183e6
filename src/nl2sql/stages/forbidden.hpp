// Constructs that DART-SQL forbids a model to use (section 3.3): LEFT JOIN and SELECT *, since most queries with them
// are wrong.
#pragma once

#include <string_view>

namespace trustsql::nl2sql {

// The first forbidden construct in `sql`, including its subqueries: "LEFT JOIN" (also LEFT OUTER JOIN) or "SELECT *"
// (also SELECT DISTINCT *); empty if there is none. Only tokens are examined, so strings, names and comments do not
// count, nor do count(*) and t.*.
std::string_view forbidden_construct(std::string_view sql);

}  // namespace trustsql::nl2sql
