// Keys in a part of a schema: a query that joins its tables needs them, whatever was retrieved.
#pragma once

#include "nl2sql/schema_subset.hpp"

namespace trustsql::nl2sql {

// Adds to the tables of `subset` their primary keys, and the columns by which they refer to each other; only columns
// that `all` shows. Precondition: each table of `subset` is one of `all`.
void add_keys(const Catalog& catalog, const SchemaSubset& all, SchemaSubset& subset);

}  // namespace trustsql::nl2sql
