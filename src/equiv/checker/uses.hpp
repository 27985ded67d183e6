// Uses of tables in a relation, and the columns that a join compares, for the laws of joins.
#pragma once

#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

// Pairs of columns compared by = without conversion: one from elsewhere, and one of a given relation.
using Pairs = std::vector<std::pair<plan::AttributeId, plan::AttributeId>>;

// The pair that `condition` compares, if it is such a comparison with a column of `inside`; `or_is`: by = or IS.
std::optional<std::pair<plan::AttributeId, plan::AttributeId>> pair_of(const plan::Expr& condition,
                                                                       const plan::AttributeSet& inside,
                                                                       const Given& given, bool or_is = false);
// The pairs that `on` equates; nullopt if `on` has other conditions on `inside`.
std::optional<Pairs> pairs_of(const std::vector<plan::Expr>& on, const plan::AttributeSet& inside, const Given& given,
                              bool or_is = false);

// The use of a table whose rows `rel` passes on, filtered or not; nullptr if it does more.
const plan::Scan* scan_of(const plan::Rel& rel);

// The uses of `table` from which each row of `rel` includes one row; `or_nulls`: or NULLs in all columns.
std::vector<const plan::Scan*> uses_of(const plan::Rel& rel, const Table* table, bool or_nulls);

// The column of that position in the table, or of that attribute; nullptr if the scan does not read it.
const plan::TableColumn* column_at(const plan::Scan& scan, int position);
const plan::TableColumn* column_of(const plan::Scan& scan, plan::AttributeId id);

// Whether the pairs form a foreign key from one use of a table in `rows` to `parent`, on which the step relies.
bool is_foreign_key(const Pairs& pairs, const plan::Rel& rows, const plan::Scan& parent, const Given& given);

// Whether at most one row of `right` satisfies `on`, whatever it is compared with.
bool has_one_match(const plan::Rel& right, const std::vector<plan::Expr>& on, const Given& given);

// Whether `before` is R LEFT JOIN[p] S LEFT JOIN[q] T and `after` R LEFT JOIN[p] (S JOIN[q] T), for q over S and T that
// is not true where S has no row.
bool nests_matches(const plan::Join& before, const plan::Join& after, const Given& given);

}  // namespace trustsql::equiv::checker
