#include "sql/skeleton.hpp"

#include "base/text.hpp"
#include "sql/printer.hpp"
#include "sql/skeleton/names.hpp"
#include "sql/skeleton/values.hpp"

namespace trustsql {

Result<std::string> query_skeleton(const ast::Query& query) {
  ast::Query copy = query;
  skeleton::drop_values(copy);
  TRUSTSQL_RETURN_IF_ERROR(skeleton::normalise_names(copy));
  return print_query(copy);
}

}  // namespace trustsql
