// The second phase of the normaliser: whatever has no fixed order is sorted by its shape (shape.hpp), which does not
// depend on attribute numbers; then the attributes are numbered by first appearance, so their names no longer matter.
#pragma once

#include "plan/walk.hpp"

namespace trustsql::plan {

// Sorts whatever has no fixed order, and numbers the attributes by first appearance. Part of normalise(). Returns the
// new number of each attribute in the tree.
Renaming put_in_order(Plan& plan);

}  // namespace trustsql::plan
