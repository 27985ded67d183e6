// Keys in a part of a schema: queries that join its tables need them, even if they were not retrieved.
#pragma once

#include "nl2sql/prompts/schema_subset.hpp"

namespace trustsql::nl2sql {

// Adds to the tables of `subset` their primary keys and the columns of foreign keys between them, as far as `all`
// contains them. Precondition: each table of `subset` is one of `all`.
void add_keys(const Catalog& catalog, const SchemaSubset& all, SchemaSubset& subset);

}  // namespace trustsql::nl2sql
