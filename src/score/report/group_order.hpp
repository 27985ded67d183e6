// The order in which a report lists groups of questions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/value.hpp"

namespace trustsql {

// The numbers of `groups` in order of their values, column by column. A column whose values are all levels of one scale
// of hardness (in any letter case; NULL comes first) has the order of the scale: easy, medium, hard, extra (Spider,
// TrustSQL) or simple, moderate, challenging (BIRD). Any other column has SQLite's order. Precondition: all groups have
// the same number of values.
std::vector<std::uint32_t> sorted_groups(const std::vector<std::vector<Value>>& groups);

}  // namespace trustsql
