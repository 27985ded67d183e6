// The list of all rules.
#pragma once

#include <span>

#include "plan/rule.hpp"

namespace trustsql::plan {

// All rules, in the order in which they are tried.
std::span<const Rule* const> all_rules();

}  // namespace trustsql::plan
