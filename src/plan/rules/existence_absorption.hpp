// Existence tests of which one implies the other.
//
// Law        where each row of S shows that R has a row: NOT EXISTS R OR NOT EXISTS S = NOT EXISTS S;
//            NOT EXISTS R OR (NOT EXISTS S AND p) = NOT EXISTS S AND (NOT EXISTS R OR p)
// Holds      in three-valued logic, for any p: if R is empty so is S. S must read the same tables as R, under all of
//            R's conditions; neither may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample existence_absorption_example{
    .before =
        "SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE v = 1) OR "
        "NOT EXISTS (SELECT 1 FROM c WHERE v = 1 AND pid = p.id)",
    .prepared_by = "negation_pushdown conjunct_simplification",
    .after =
        "Project p.name (Filter NOT EXISTS (SELECT * FROM subquery1) (Scan p (id, name), subquery1: Project 1 AS expr "
        "(Filter c.v = 1 AND c.pid = p.id (Scan c (pid, v)))))",
};
extern const Rule existence_absorption;

}  // namespace trustsql::plan::rules
