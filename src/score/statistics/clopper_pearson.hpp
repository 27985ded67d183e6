// The exact confidence interval of a share (Clopper and Pearson 1934).
#pragma once

#include <cstdint>

#include "score/statistics/bootstrap.hpp"

namespace trustsql {

// The interval, in percent, of the probability behind `successes` in `trials` independent draws. Each limit is the
// probability at which as many successes or more (for the lower limit; or fewer, for the upper one) have a probability
// of (1 - level) / 2. It covers at least `level`, also where all draws agree: 14 of 14 at level 0.95 give 76.8 to 100.
// Preconditions: 0 <= successes <= trials, 0 < level < 1. Without trials it is 0 to 100.
Interval clopper_pearson(std::int64_t successes, std::int64_t trials, double level);

}  // namespace trustsql
