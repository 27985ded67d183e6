// Which rows of another table, or of another use of the same table, belong to a row: for the rules about joins.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plan/rule.hpp"

namespace trustsql {
struct ForeignKey;
}

namespace trustsql::plan::rules {

// Columns that a join equates: one from outside a relation, and one of it.
using ColumnPairs = std::vector<std::pair<AttributeId, AttributeId>>;

// The pairs r = s of `on`, r a column outside `inside` and s one of it, if all that `on` says of `inside` are plain
// such pairs.
std::optional<ColumnPairs> pairs_with(const std::vector<Expr>& on, const AttributeSet& inside, const Plan& plan);

// The foreign key of the table of the first columns to the table `parent` that the pairs are, nullptr if they are none.
// Precondition: there is a pair.
const ForeignKey* foreign_key_of(const ColumnPairs& pairs, const Table& parent, const Plan& plan);

// Whether the first columns are all of one use of a table in `rel`: then one row has them all.
bool of_one_scan(const Rel& rel, const ColumnPairs& pairs);

// A use of the table of `scan` in `rel` whose rows `rel` hands on, such that the pairs equate the same columns of both.
// Looks below filters, inner joins, limits, and on the left of other joins; `filled_as_well`: on the right of left
// joins, too. nullptr if there is none.
Scan* same_scan(Rel& rel, const Scan& scan, const ColumnPairs& pairs, bool filled_as_well = false);

}  // namespace trustsql::plan::rules
