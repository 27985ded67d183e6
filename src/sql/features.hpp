// Which keywords and constructs a query uses, at any depth: the rows of Table 6 in FuncEvalGMN's Appendix M, and some
// more.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "sql/ast.hpp"

namespace trustsql {

// Every feature, with whether the query has it, in a fixed order. Those of the paper:
//   where, join (explicit or by a comma), group_by, order_by, limit, subquery (in an expression, in FROM or WITH),
//   union, aggregation, count, average, min_max, sum, distinct (of rows or in an aggregate), str_func (a text function
//   or ||), regex_filter (LIKE, GLOB, REGEXP), cast
// Further ones:
//   having, outer_join, intersect, except, with, window, case, in, between, exists, null_test
std::vector<std::pair<std::string_view, bool>> query_features(const ast::Query& query);

}  // namespace trustsql
