// Uses of tables in a relation, and which columns a join compares: for the laws of joins.
#pragma once

#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

// Pairs of columns that are compared by = as they are: one of elsewhere, and one of a relation.
using Pairs = std::vector<std::pair<plan::AttributeId, plan::AttributeId>>;

// The pair that `condition` is, if it is one with a column of `inside`.
std::optional<std::pair<plan::AttributeId, plan::AttributeId>> pair_of(const plan::Expr& condition,
                                                                       const plan::AttributeSet& inside,
                                                                       const Given& given);
// The pairs that `on` equates; nullopt if it says anything else of `inside`.
std::optional<Pairs> pairs_of(const std::vector<plan::Expr>& on, const plan::AttributeSet& inside, const Given& given);

// The use of a table whose rows `rel` hands on, filtered or not; nullptr if it does more.
const plan::Scan* scan_of(const plan::Rel& rel);

// The uses of `table` of which each row of `rel` has one row; `or_nulls`: or NULLs in all its columns.
std::vector<const plan::Scan*> uses_of(const plan::Rel& rel, const Table* table, bool or_nulls);

// The column of that position in the table, or of that attribute; nullptr if the scan does not read it.
const plan::TableColumn* column_at(const plan::Scan& scan, int position);
const plan::TableColumn* column_of(const plan::Scan& scan, plan::AttributeId id);

// Whether the pairs are a foreign key of one use of a table in `rows` to `parent`, which the step relies on.
bool is_foreign_key(const Pairs& pairs, const plan::Rel& rows, const plan::Scan& parent, const Given& given);

// Whether at most one row of `right` fulfils `on`, whatever it is compared with.
bool has_one_match(const plan::Rel& right, const std::vector<plan::Expr>& on, const Given& given);

}  // namespace trustsql::equiv::checker
