// GROUP BY: which columns are keys, and groups that are single rows.
//
// Law        a bare column that the keys determine becomes a key: group[id](name) = group[id, name];
//            a key that the others determine and that is not used is removed: group[id, name] = group[id]; equal keys
//            become one;
//            GROUP BY without aggregates is DISTINCT: group[k] without calls = distinct(project[k]);
//            groups of one row each are the rows: group[id](count(*), max(x)) = project[id, 1, x];
//            constant keys are removed: group[1, name] = group[name];
//            without keys, over an input that is never empty, GROUP BY changes nothing
// Holds      with a true key or a functional dependency on one, for determining keys compared under BINARY; for
//            primary keys that may hold NULL, under the assumption that they do not. Groups of one row for COUNT, MIN,
//            MAX, bare columns and SUM of integers, without FILTER.
// Example    SELECT p.name, count(*) FROM p JOIN c ON p.id = c.pid GROUP BY p.id   becomes   GROUP BY p.id, p.name
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule bare_column_to_key;
extern const Rule group_key_reduction;
extern const Rule aggregate_to_distinct;
extern const Rule group_by_removal;
extern const Rule constant_key_removal;
extern const Rule single_group;

}  // namespace trustsql::plan::rules
