// How two results differ, and on what rows, in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "equiv/refuter.hpp"

namespace trustsql::equiv::explanation {

// "only a returns ('Ann', 30)", with `first` and `second` as the names of the queries. `deviations`:
// those of the counterexample.
std::string result_difference_words(const ResultSet& a, const ResultSet& b, Deviations deviations,
                                    const std::string& first, const std::string& second);

// The rows that the script of a counterexample inserts: "with the row (id 1, name 'c', age NULL) in singer", "on empty
// tables". nullopt if they are too many to be named in a sentence.
std::optional<std::string> data_words(std::string_view script);

// On which databases a difference of that grade shows: "where a value is NULL"; empty for one that shows on ordinary
// ones.
std::string deviation_words(Deviations deviations);

}  // namespace trustsql::equiv::explanation
