// Type affinity: what SQLite prefers to store in a column, and how it converts before it compares
// (https://sqlite.org/datatype3.html, sections 3 and 4).
#pragma once

#include <cstdint>
#include <string_view>

namespace trustsql {

enum class Affinity : std::uint8_t {
  none,  // of an expression that is neither a column nor a CAST: it takes on the other side's in a comparison
  blob,  // of a column declared BLOB or without a type: nothing is converted
  text,
  numeric,
  integer,
  real,
};

// "none", "blob", "text", "numeric", "integer", "real".
std::string_view affinity_name(Affinity affinity);

// Numeric, integer or real: these convert a text that looks like a number before a comparison.
constexpr bool is_numeric(Affinity affinity) { return affinity >= Affinity::numeric; }

// The affinity of a column declared with this type: by the words it contains (section 3.1); without a type, `blob`.
// CAST goes by the same words, only that it takes an empty type for `numeric`.
Affinity affinity_of_type(std::string_view declared_type);

}  // namespace trustsql
