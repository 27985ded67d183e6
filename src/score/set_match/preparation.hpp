// What exact set match does to a query before it compares it: values and DISTINCT go, columns that foreign keys make
// one become one.
#pragma once

#include "score/set_match/query.hpp"
#include "score/set_match/schema.hpp"

namespace trustsql::set_match {

void prepare(Query& query, const Schema& schema);

}  // namespace trustsql::set_match
