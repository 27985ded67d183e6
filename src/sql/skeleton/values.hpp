// The first step to a skeleton: data values become `?`.
#pragma once

#include "sql/ast.hpp"

namespace trustsql::skeleton {

void drop_values(ast::Query& query);

}  // namespace trustsql::skeleton
