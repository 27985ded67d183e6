// Aggregates over constants or no rows, and constant FILTER clauses.
//
// Law        count(NULL) = 0, total(NULL) = 0.0, sum(NULL) = avg(NULL) = min(NULL) = max(NULL) = NULL, the same with
//            DISTINCT and for any aggregate FILTER (WHERE p) if p is never true; f(x) FILTER (WHERE 1) = f(x)
//            min(c) = max(c) = c and sum(i) = i * count(*), if there are rows, for constants c and i; otherwise both
//            are NULL
// Holds      for the built-in aggregates; not for MIN and MAX beside bare columns, whose row they choose. i is a small
//            integer, so that SUM never overflows.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample constant_aggregate_example{
    .before = "SELECT count(*) FILTER (WHERE 0) FROM p",
    .after = "Project expr (Project 0 AS expr (Aggregate (Scan p)))",
};
extern const Rule constant_aggregate;

}  // namespace trustsql::plan::rules
