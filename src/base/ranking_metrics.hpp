// How well a score separates two classes of rows: ROC AUC and AURC.
#pragma once

#include <optional>
#include <vector>

#include "base/number.hpp"

namespace trustsql {

// A row: its score (for AURC a confidence) and its class. Precondition of both functions: no score is NaN.
struct LabelledScore {
  Number score = 0;
  bool positive = false;  // for AURC: right
};

// The area under the ROC curve: the probability that a positive row has a higher score than a negative one, equal
// scores counting one half. In [0, 1]; nullopt if there are no positive or no negative rows. O(n log n). Reorders
// `rows`.
std::optional<double> roc_auc(std::vector<LabelledScore>& rows);

// The area under the risk-coverage curve (Geifman, Uziel and El-Yaniv, ICLR 2019): the mean, over k = 1..n, of the
// share of wrong rows among the k most confident. In [0, 1], 0 = never wrong; nullopt if there are no rows. The order
// of rows with equal confidence is undefined: the value is the expectation over all their orders, so it does not depend
// on the order of the input. O(n log n). Reorders `rows`.
std::optional<double> aurc(std::vector<LabelledScore>& rows);

}  // namespace trustsql
