// The search behind column_match: colour refinement, and if that is not enough, assignment of columns one by one.
//
// This is the classical method for graph isomorphism, individualisation and refinement (McKay 1981, "Practical Graph
// Isomorphism"), applied to a matrix whose rows and columns may both be permuted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "db/results/result_set.hpp"

namespace trustsql {

// Columns of one result that are to be assigned to those of another.
struct ColumnSide {
  const ResultSet& result;
  std::vector<std::size_t> columns;    // their positions in `result`, all different as sequences
  std::vector<std::uint64_t> colours;  // columns that correspond have equal colours
};

// Assigns to every column of `a` a column of `b` of the same colour: calls `accept` with assignments (indices into
// b.columns, one for each of a.columns) that the hashes of all rows allow, until it returns true for one. Returns
// whether it did. If not, there is no assignment that `accept` would have accepted, provided that it accepts only
// assignments under which the rows are equal bags, and that corresponding columns have equal colours. Error
// (limit_exceeded): more than `max_steps` steps (see column_match.hpp). Preconditions: a and b have the same numbers of
// rows and columns, and the same bag of colours.
Result<bool> search_assignment(ColumnSide a, ColumnSide b, std::int64_t max_steps,
                               const std::function<bool(std::span<const std::size_t>)>& accept);

}  // namespace trustsql
