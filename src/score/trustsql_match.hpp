// Whether two results are equal for the TrustSQL benchmark on ATIS, Advising and EHRSQL.
//
// Cells are compared as texts: one that reads as a number (as Python's float() reads) is that number rounded to three
// places ("2" and 2.0001 become "2.0"), NULL is "None", everything else its own text. The rows of either result are
// sorted by these texts, and the first 100 are compared, column by column in the given order. (Hence two results with
// more than 100 rows can be equal although they have different numbers of them.)
//
// Besides, with COUNT in the gold query's outermost select list:
//   - a prediction without rows counts as one row of one 0;
//   - if that list is COUNT(...) > 0 and nothing else, the gold says yes (1) or no (0): in the predicted rows every
//   positive
//     number becomes 1, and equal rows become one.
// Advising: N and No read as 0, Y and Yes as 1.
#pragma once

#include <string_view>

#include "db/result_set.hpp"
#include "score/trustsql_text.hpp"

namespace trustsql {

// `gold_sql` is the gold query's text. Precondition: `dataset` is not spider.
bool trustsql_match(const ResultSet& gold, const ResultSet& prediction, std::string_view gold_sql,
                    TrustsqlDataset dataset);

}  // namespace trustsql
