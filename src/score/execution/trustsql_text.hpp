// How the TrustSQL benchmark changes the texts of two queries before it runs them, by data set.
//
//   atis, advising   If the gold query's select list begins with DISTINCT and the prediction's does not, DISTINCT is
//                    inserted. If the gold query's list has COUNT(DISTINCT x) and the prediction's has none, DISTINCT
//                    is inserted into each COUNT(x) of its list, but not into COUNT(*), window functions, subqueries.
//   ehrsql           The same, but first, in both queries, token by token:
//                      current_time, current_timestamp, 'now', NOW()  ->  '2100-12-31 23:59:00'
//                      current_date, CURDATE()                        ->  '2100-12-31'
//                      CURTIME()                                      ->  '23:59:00'
//                      DATE_SUB(x, INTERVAL 2 MONTH)                  ->  datetime(x, '-2 month')
//                      DATE_ADD(x, INTERVAL 1 WEEK)                   ->  datetime(x, '+7 day')
//                      temperature_lower, temperature_upper, ...      ->  the bounds of the vital sign
//                      %y and %j in a format given to strftime        ->  %Y and %J
//   spider           Nothing here: this data set is judged by the public evaluator's comparison with DISTINCT dropped,
//                    without that evaluator's change of the letters "value" (spider_text.hpp, step 1).
//
// Quoted texts and comments are left alone, except for the string 'now'. A gold query is never changed by the rules for
// DISTINCT, so that a query is always equal to itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trustsql {

enum class TrustsqlDataset { atis, advising, ehrsql, spider };

// The name of a data set as options and columns give it, and back; case does not matter. nullopt: it is none of them.
std::string_view dataset_name(TrustsqlDataset dataset);
std::optional<TrustsqlDataset> find_dataset(std::string_view name);

// The queries as they are run. For spider, the texts are returned as they are.
std::string trustsql_gold(std::string_view gold, TrustsqlDataset dataset);
std::string trustsql_prediction(std::string_view prediction, std::string_view gold, TrustsqlDataset dataset);

}  // namespace trustsql
