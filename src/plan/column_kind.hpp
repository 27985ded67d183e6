// What a column is declared to hold, beyond its affinity: DATE and BOOLEAN have the affinity NUMERIC as well.
#pragma once

#include <cstdint>

namespace trustsql {
struct Column;
}

namespace trustsql::plan {

enum class ColumnKind : std::uint8_t { integer, real, number, text, date, datetime, time, boolean, any };

// By the enforced type, the affinity, and words in the declared type.
ColumnKind kind_of(const trustsql::Column& column);

}  // namespace trustsql::plan
