// Which rows of another table, or of another use of the same table, match a row: for the rules about joins.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plan/rule.hpp"

namespace trustsql {
struct ForeignKey;
}

namespace trustsql::plan::rules {

// Columns that a join equates: one from outside a relation, and one from the relation.
using ColumnPairs = std::vector<std::pair<AttributeId, AttributeId>>;

// The pairs r = s of `on`, where r is a column outside `inside` and s one of it; nullopt if `on` has any other
// condition on `inside`.
std::optional<ColumnPairs> pairs_with(const std::vector<Expr>& on, const AttributeSet& inside, const Plan& plan);

// The foreign key from the table of the first columns to the table `parent` that the pairs form; nullptr if there is
// none. Precondition: there is at least one pair.
const ForeignKey* foreign_key_of(const ColumnPairs& pairs, const Table& parent, const Plan& plan);

// Whether the first columns all belong to one use of a table in `rel`, so that one row has them all.
bool is_from_one_scan(const Rel& rel, const ColumnPairs& pairs);

// A use of the table of `scan` in `rel` whose rows `rel` passes on, such that the pairs equate the same columns of
// both. Looks below filters, inner joins and limits, and on the left of other joins; `filled_as_well`: also on the
// right of left joins. nullptr if there is none.
Scan* same_scan(Rel& rel, const Scan& scan, const ColumnPairs& pairs, bool filled_as_well = false);

// Whether `outer` is R LEFT JOIN S LEFT JOIN[q] T where q compares only columns of S and T, and is not true if those of
// S are NULL.
bool are_looked_up_by_matches(const Join& outer, const Plan& plan);
// Makes it R LEFT JOIN (S JOIN[q] T).
void nest_matches(Join& outer);

// Whether the call ignores rows in which all of `columns` are NULL, such as those without a match in a left join.
bool ignores_row_of_nulls(const AggregateCall& call, const AttributeSet& columns, const Plan& plan);

// What the columns of `rel` are called in the relation like it that inner joins multiply in `rows`, filtered or not, so
// that each row has one of its rows: the first such relation in which each of the pairs has these names. nullopt if
// there is none.
std::optional<Renaming> names_in_factor(const Rel& rows, const Rel& rel, const ColumnPairs& pairs);

}  // namespace trustsql::plan::rules
