// Results as JSON, for functions that return rows as one value.
#pragma once

#include <cstddef>
#include <string>

#include "db/results/result_set.hpp"

namespace trustsql {

// {"columns":["a","b"],"rows":[[1,"x"],...]}. Integers and reals are numbers (an infinite real is the text "Infinity"
// or "-Infinity"), a blob is {"blob":"hex digits"}; bytes of a text that are not UTF-8 become U+FFFD. If there are more
// than `max_rows` rows, only the first `max_rows` are included, with "more":true at the end.
std::string result_json(const ResultSet& result, std::size_t max_rows);

// The two parts of it alone: ["a","b"] and [[1,"x"],...], the latter with at most the first `max_rows` rows.
std::string column_names_json(const ResultSet& result);
std::string rows_json(const ResultSet& result, std::size_t max_rows);

}  // namespace trustsql
