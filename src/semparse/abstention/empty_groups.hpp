// Empty groups: the field with "the fewest harvests" has none at all, and a join of fields and harvests leaves it out.
#pragma once

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

// The table of rows that have none of what `tree` counts, where it asks for those that have the fewest, or at most so
// many; `nothing` if there is none, and where the query that looks for them fails. Errors: those that end the call
// (ends_the_call()).
Result<TableId> left_out_rows(const Domain& domain, const Tree& tree, Sandbox& sandbox);

}  // namespace trustsql::semparse
