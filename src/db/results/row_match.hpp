// Whether the rows of two results are equal once the columns of one are permuted in a given way: the exact check.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "db/results/result_set.hpp"

namespace trustsql {

// How the rows of two results are compared.
enum class RowOrder {
  list,  // row by row
  bag,   // any order, with multiplicities
};

// Column `permutation[j]` of the second result stands for column j of the first.
using ColumnPermutation = std::vector<std::size_t>;

// 0, 1, ..., columns - 1.
ColumnPermutation identity_permutation(std::size_t columns);

// Whether `a` and `b` have the same rows. Values are compared as in base/value.hpp: 1 and 1.0 are equal, 1 and '1' are
// not, NULL and NULL are. The answer is exact; hashes are only used to find the rows to compare. O(cells) for lists,
// plus O(r log r) for bags of r rows. Precondition: `a` and `b` have the same number of columns, and `permutation` is a
// permutation of them.
bool rows_match(const ResultSet& a, const ResultSet& b, std::span<const std::size_t> permutation, RowOrder order);

}  // namespace trustsql
