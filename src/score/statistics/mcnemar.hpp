// McNemar's test: whether two systems, judged on the same questions, are right equally often.
#pragma once

#include <cstdint>

namespace trustsql {

// Two-sided p-values from the questions on which exactly one of the two systems is right. Under the null hypothesis,
// each system is the right one on half of these questions.
struct McNemar {
  double exact = 1;  // binomial test: never below its nominal level
  double mid_p = 1;  // counts half of the observed outcome: less conservative (Fagerland, Lydersen and Laake 2013)
  double chi_squared = 0;  // (|b - c| - 1)^2 / (b + c), Edwards' continuity correction; 0 if b + c = 0. For comparison
                           // with other reports.
};

// `only_first`, `only_second`: the number of questions on which only that system is right. Precondition: both >= 0.
McNemar mcnemar(std::int64_t only_first, std::int64_t only_second);

}  // namespace trustsql
