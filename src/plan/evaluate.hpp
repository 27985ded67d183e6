// The values of constant expressions, by SQLite's rules: 64-bit integers that overflow into reals, integer division
// that truncates, NULL for division by zero, three-valued logic, comparison by affinity and collation.
//
// If SQLite's result depends on its version or on rounding (reals as text, long decimal fractions), there is no result.
#pragma once

#include <compare>
#include <optional>

#include "plan/expr.hpp"

namespace trustsql::plan {

// The value of `expr`, whose operands are literals; nullopt if it is not constant or not known for sure.
std::optional<Value> evaluate(const Expr& expr);

// `value` converted by the affinity of a comparison; nullopt if the result is not known for sure.
std::optional<Value> apply_affinity(const Value& value, Affinity affinity);

// The order of two values that are not NULL, without conversion. `collation` must be known (is_known_collation). Texts
// that differ are unordered if it depends on the encoding of the database which is first: BINARY compares bytes, and in
// UTF-16le those of U+0133 come before those of 'z' (https://sqlite.org/datatype3.html section 7.1).
std::partial_ordering compare_values(const Value& a, const Value& b, std::string_view collation);
bool is_known_collation(std::string_view collation);

// Whether `value` is true, false or NULL as a condition.
enum class Truth : std::uint8_t { no, yes, null };
std::optional<Truth> truth_of(const Value& value);

}  // namespace trustsql::plan
