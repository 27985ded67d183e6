#include "plan/query_plan.hpp"

#include "plan/builder.hpp"
#include "sql/parser.hpp"

namespace trustsql::plan {

Result<Plan> plan_query(std::string_view sql, const Catalog& catalog, const ResolveOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse_query(sql, options.grammar()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto resolution, resolve(query, catalog, options));
  return build_plan(resolution);
}

}  // namespace trustsql::plan
