// Prepares a query for exact set match: drops values and DISTINCT, and unifies the columns that foreign keys equate.
#pragma once

#include "score/set_match/query.hpp"
#include "score/set_match/schema.hpp"

namespace trustsql::set_match {

void prepare(Query& query, const Schema& schema);

}  // namespace trustsql::set_match
