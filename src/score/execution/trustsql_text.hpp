// How the TrustSQL benchmark changes the texts of two queries before it runs them, by data set.
//
//   atis, advising   If the gold query's select list begins with DISTINCT and the prediction's does not, DISTINCT is
//                    inserted.
//   ehrsql           The same, but first, in both queries, token by token:
//                      current_time, current_timestamp, 'now', NOW()  ->  '2100-12-31 23:59:00'
//                      current_date, CURDATE()                        ->  '2100-12-31'
//                      CURTIME()                                      ->  '23:59:00'
//                      temperature_lower, temperature_upper, ...      ->  the bounds of the vital sign
//                      %y and %j in a format given to strftime        ->  %Y and %J
//   spider           Nothing here: this data set is judged as by semantics "spider" with DISTINCT dropped
//                    (spider_text.hpp).
//
// Quoted texts and comments are left alone, except for the string 'now'.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trustsql {

enum class TrustsqlDataset { atis, advising, ehrsql, spider };

std::string trustsql_gold(std::string_view gold, TrustsqlDataset dataset);
std::string trustsql_prediction(std::string_view prediction, std::string_view gold, TrustsqlDataset dataset);

}  // namespace trustsql
