// Whether two results are equal for the TrustSQL benchmark on ATIS, Advising and EHRSQL.
//
// Cells are compared as texts: a cell that Python's float() can read becomes that number rounded to three places ("2"
// and 2.0001 become "2.0"), NULL becomes "None", and anything else is its own text. The rows of either result are
// sorted by these texts, and the first 100 are compared, column by column in the given order. (So two results with more
// than 100 rows can be equal although they have different numbers of rows.)
//
// In addition, if COUNT appears in the gold query's outermost select list:
//   - a result without rows, of either query, counts as a single row with the value 0;
//   - if the list consists only of COUNT(...) > 0, the answer is yes or no: in either result, rows that are all 0 or
//   all
//     NULL become a single 0, and everything else becomes a single 1.
// In Advising, N and No are read as 0, Y and Yes as 1.
#pragma once

#include <string_view>

#include "db/results/result_set.hpp"
#include "score/execution/trustsql_text.hpp"

namespace trustsql {

// `gold_sql` is the gold query's text. Precondition: `dataset` is not spider.
bool trustsql_match(const ResultSet& gold, const ResultSet& prediction, std::string_view gold_sql,
                    TrustsqlDataset dataset);

}  // namespace trustsql
