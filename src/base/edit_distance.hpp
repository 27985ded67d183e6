// The edit distance of two words.
#pragma once

#include <cstddef>
#include <string_view>

namespace trustsql {

// The smallest number of single-byte edits (insert, delete, replace, or swap with the neighbour) that turns `a` into
// `b` (optimal string alignment), ignoring ASCII case; `limit` + 1 if it is more than `limit`. Time: the product of the
// lengths; constant if the lengths alone differ by more than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace trustsql
