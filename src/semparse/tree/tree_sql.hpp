// Writes a Tree as SQL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semparse/database/domain.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// The tables whose columns or rows `block` uses itself (not in subqueries), sorted.
std::vector<TableId> tables_of(const Domain& domain, const Block& block);

// The key by which the rows of `table` are counted in a block with these joins, where each row may be joined several
// times; `nothing` where count(*) counts them, as it does for a row of a group.
ColumnId counted_key(const Domain& domain, const Block& block, const JoinTree& joins, TableId table);

// One SELECT statement for `tree`, with the join_number-th smallest join tree of its first block; nullopt if a block's
// tables cannot be joined, a block uses no table, there is no such join tree, or a name or a text of the question has a
// NUL character or is not UTF-8, which no SQL text can hold.
std::optional<std::string> sql_of(const Domain& domain, const Tree& tree, std::size_t join_number = 0);

}  // namespace trustsql::semparse
