// Column affinity (https://sqlite.org/datatype3.html#determination_of_column_affinity).
#pragma once

#include <cstdint>
#include <string_view>

namespace trustsql {

// Ordered as in SQLite: from numeric on, a value is converted to a number where it looks like one.
enum class Affinity : std::uint8_t { blob, text, numeric, integer, real };

// The affinity of a column with this declared type (empty where none is declared). In a STRICT table a column of type
// ANY has no affinity.
Affinity affinity_of_type(std::string_view declared_type, bool strict = false);

// "BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL".
std::string_view affinity_name(Affinity affinity);

}  // namespace trustsql
