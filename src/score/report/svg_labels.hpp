// Placing labels so that they do not overlap.
#pragma once

#include <vector>

namespace trustsql {

// Positions for labels that want to be at `wanted` (any order), at least `gap` apart and within [low, high]: among all
// such placements that keep the order of the wanted positions, the one with the least sum of squared moves. The result
// is in the order of the input. If the labels do not fit, the gap shrinks until they do.
std::vector<double> spread_labels(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace trustsql
