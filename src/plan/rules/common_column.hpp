// Columns of a UNION ALL that are the same constant in all inputs, or the same as another column.
//
// Law        project[x, c](R) UNION ALL project[y, c](S) = project[z, c](project[x](R) UNION ALL project[y](S));
//            project[x, x](R) UNION ALL project[y, y](S) = project[z, z](project[x](R) UNION ALL project[y](S))
// Holds      for literals that are the same in every respect, and for plain columns; at least one other column must
//            remain. The columns must have the same affinity: SQLite does not say which of several such a column gets.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample common_column_example{
    .before = "SELECT sum(u) FROM (SELECT age, NULL AS u FROM p UNION ALL SELECT v, NULL FROM c)",
    .prepared_by = "derived_table_inlining",
    .after =
        "Project sum (Aggregate sum(expr) AS sum (Project column, NULL AS expr (UnionAll (Project p.age (Scan p "
        "(age)), Project c.v (Scan c (v))))))",
};
extern const Rule common_column;

}  // namespace trustsql::plan::rules
