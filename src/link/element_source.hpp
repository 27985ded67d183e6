// Elements from the rows of a table or query, instead of a schema: a corpus of many databases, for example.
#pragma once

#include "db/sources/row_source.hpp"
#include "link/element.hpp"

namespace trustsql::link {

// The elements in the rows of `source`: columns tbl and col, optionally db (main and temp count as none) and refs, the
// "table.column" in the same database that a foreign key refers to. Each element once, in the order of the rows.
// Without a column refs, foreign keys are inferred from names (ElementSet::infer_links). Errors: tbl or col is missing
// (invalid_argument); those of RowSource::next().
Result<ElementSet> elements_of(RowSource source);

}  // namespace trustsql::link
