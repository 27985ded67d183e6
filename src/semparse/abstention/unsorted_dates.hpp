// Unsorted dates: texts such as 04/21/2005 or 21 April 2005, of which SQLite cannot say which is earlier. No reading
// that sorts or compares them is right.
#pragma once

#include <optional>

#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// A column of such dates by which `tree` sorts, of which it takes the least or the greatest, or that it compares with
// `<`, `>` or BETWEEN; nullopt if there is none.
std::optional<ColumnId> unsorted_dates(const Domain& domain, const Tree& tree);

}  // namespace trustsql::semparse
