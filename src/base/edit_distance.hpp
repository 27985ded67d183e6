// How far apart two words are.
#pragma once

#include <cstddef>
#include <string_view>

namespace trustsql {

// The least number of single bytes to insert, delete, replace or exchange with their neighbour that makes `a` into `b`
// (optimal string alignment), ASCII case ignored; `limit` + 1 if it is more than `limit`.
// Time: the product of the lengths, but for words whose lengths alone differ by more than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace trustsql
