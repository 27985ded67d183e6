// Whether a database holds the values that an answer from examples compares its columns with.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/database/domain.hpp"
#include "semparse/examples/example_model.hpp"

namespace trustsql::semparse {

// A value that is compared by = or IN with a column that does not hold it, though its table has rows.
struct MissingValue {
  std::string words;   // of the question
  std::string column;  // "table.column"
  ColumnId id = nothing;
};

// The first one; nullopt if there is none. A column that is not known, or cannot be read, is not looked at. Errors:
// interrupted, out_of_memory.
Result<std::optional<MissingValue>> find_missing_value(const ExampleAnswer& answer, const Domain& domain,
                                                       Sandbox& sandbox);

}  // namespace trustsql::semparse
