// From the text of a query to its plan in one step.
#pragma once

#include <string_view>

#include "plan/plan.hpp"
#include "sql/resolver.hpp"

namespace trustsql::plan {

// Parses, resolves and builds. `options.version` also selects the grammar. Errors: those of parse_query(), resolve()
// and build_plan().
Result<Plan> plan_query(std::string_view sql, const Catalog& catalog, const ResolveOptions& options = {});

}  // namespace trustsql::plan
