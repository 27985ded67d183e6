// Whether two results are equal for the public test-suite evaluator (Zhong et al. 2020), quirks included.
//
//   1. Two results without rows are equal, whatever their columns. Otherwise the numbers of rows and of columns must
//      agree.
//   2. Quick rejection. In every row the values are sorted by Python's str() of the value followed by that of its type.
//      If order matters, the lists of sorted rows must be equal, otherwise the sets of sorted rows.
//   3. Some permutation of columns must make the results equal, as lists if order matters, otherwise as bags.
//
// Values compare as in Python. (For wide results, the evaluator uses 20 random rows to narrow down the permutations;
// this removes only impossible ones and changes no verdict.)
//
// Step 2 matters only if it rejects what step 3 would accept, which happens only if equal values have different texts
// or types:
//   Let a permutation and a bijection of rows make the results equal, and let any two numbers in them that are equal
//   have the same type and text. Then a row and its image hold the same values with the same sorting keys, so they are
//   equal once sorted, and the lists (the bijection being the identity) or sets of sorted rows are equal: no rejection.
//   Numbers that are equal and yet differ in type or text are an integer and a real (1 and 1.0), or 0.0 and -0.0;
//   either way one of them is a real without a fraction.
// So step 3 is decided first, by column_match; step 2 is carried out only for equal results that contain such reals
// together with integers or negative zeros.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "db/results/result_set.hpp"
#include "db/results/row_match.hpp"

namespace trustsql {

// `order`: list if order matters (spider_text.hpp). Error (limit_exceeded): see match_columns().
Result<bool> spider_match(const ResultSet& gold, const ResultSet& prediction, RowOrder order, std::int64_t max_steps);

// Step 2 alone. Precondition: both results have the same number of rows.
bool spider_quick_check(const ResultSet& gold, const ResultSet& prediction, RowOrder order);

// `result` without the bytes of its texts that are not valid UTF-8, which the evaluator's connection drops as well;
// nullopt if there are none.
std::optional<ResultSet> spider_decoded(const ResultSet& result);

}  // namespace trustsql
