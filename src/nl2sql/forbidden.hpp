// What DART-SQL does not let a model write (section 3.3): LEFT JOIN and SELECT *, since most of its queries with them
// are wrong.
#pragma once

#include <string_view>

namespace trustsql::nl2sql {

// The first of them in `sql`, subqueries included: "LEFT JOIN" (also LEFT OUTER JOIN), "SELECT *" (also SELECT DISTINCT
// *); empty if there is none. Looks at tokens only, so what stands in texts, names and comments does not count, nor
// count(*) and t.*.
std::string_view forbidden_construct(std::string_view sql);

}  // namespace trustsql::nl2sql
