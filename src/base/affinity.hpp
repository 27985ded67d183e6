// Type affinity: what SQLite prefers to store in a column, and how it converts before it compares
// (https://sqlite.org/datatype3.html, sections 3 and 4).
#pragma once

#include <cstdint>
#include <string_view>

namespace trustsql {

// Ordered as in SQLite: from numeric on, a value is converted to a number where it looks like one.
enum class Affinity : std::uint8_t {
  none,  // an expression that is neither a column nor a CAST; in a comparison the other side's affinity applies
  blob,  // no conversion
  text,
  numeric,
  integer,
  real,
};

constexpr bool is_numeric(Affinity affinity) { return affinity >= Affinity::numeric; }

// The affinity of a column with this declared type (empty if none is declared). In a STRICT table, a column of type ANY
// converts nothing.
Affinity affinity_of_type(std::string_view declared_type, bool strict = false);

}  // namespace trustsql
