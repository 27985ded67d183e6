// The permutation of columns under which two results are equal.
//
// Two queries may select the same columns in different orders. Execution accuracy (EX) asks whether one permutation,
// the same for all rows, makes their results equal (Zhong et al. 2020, "Semantic Evaluation for Text-to-SQL with
// Distilled Test Suites"). There are factorially many permutations. This code prunes those that cannot be the right
// one:
//
//   lists  Columns correspond if they are equal as sequences. That is an equivalence, so each column takes any free
//          equal one: no search at all.
//   bags   1. Columns that correspond have equal bags of values: columns with different signatures (hashes of their
//             bags) do not correspond.
//          2. Columns that are equal as sequences within their result are interchangeable: they count as one with a
//             multiplicity. (Whatever bijection of rows makes the results equal, it maps equal columns to equal ones.)
//          3. Columns that signatures leave ambiguous are refined: a row's colour is the bag of its values with their
//             columns' colours, a column's colour the bag of its values with their rows' colours, until nothing
//             changes.
//          4. Columns that refinement leaves ambiguous are searched (column_search.hpp): one column is assigned, then
//             the colours are refined again, so that every assignment is checked against all rows before the next one.
//
// A permutation is returned only after it was verified value by value. The problem is as hard as graph isomorphism
// (a 0/1 matrix is a bipartite graph), so the search has a limit; beyond it the result is an error and no verdict.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "db/results/result_set.hpp"
#include "db/results/row_match.hpp"

namespace trustsql {

// A permutation of the columns of `b` that makes it equal to `a` (rows as `order` says), or nullopt if there is none.
// Results with different numbers of columns or rows are never equal; two results without rows are equal if they have
// the same number of columns. `max_steps` bounds the search. A step is one column assigned, or up to 1,024 cells
// refined once. Error (limit_exceeded): more steps were needed; the message names the setting match_max_steps.
Result<std::optional<ColumnPermutation>> match_columns(const ResultSet& a, const ResultSet& b, RowOrder order,
                                                       std::int64_t max_steps);

}  // namespace trustsql
