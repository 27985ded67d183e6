// JSON functions tell a text that is JSON from any other text by a mark on the value, its subtype: json_array('[1]') is
// '["[1]"]', json_array(json('[1]')) is '[[1]]'. Equal values may differ in it, and whether a subquery, a sorter or an
// operator keeps it depends on the version of SQLite and on how it runs the query.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// Whether a function of `plan`, as built from a query, may see a subtype that a value has got elsewhere than in the
// very argument of that function. Such arguments are marked (Function::is_json).
bool depends_on_passed_subtype(const Plan& plan);

// Whether the query calls a function that tells JSON from other texts by the mark. Most do not.
bool reads_subtypes(const Plan& plan);

}  // namespace trustsql::plan
