// Texts that stand for numbers, written as SQLite writes numbers: '5', '-12', '2.5', but not '05', ' 5', '5.0' or '5x'.
//
// Between these texts and the numbers of up to 15 digits, CAST goes both ways without loss
// (https://sqlite.org/datatype3.html#type_conversions_prior_to_storage). So where a column of texts holds nothing else,
// it makes no difference whether its values are compared as texts, for equality, or as numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.hpp"
#include "plan/reading.hpp"

namespace trustsql::plan {

// Whether `text` is the text of a number, or of an integer, of at most 15 digits. Precondition: the reading is one of
// these two.
bool is_number_text(std::string_view text, Reading reading);

// The text of a number; nullopt if it has none of at most 15 digits, or is not an integer where `reading` asks for one.
std::optional<std::string> number_text(const Value& number, Reading reading);

}  // namespace trustsql::plan
