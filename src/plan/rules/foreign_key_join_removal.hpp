// Removes joins with the parent of a foreign key.
//
// Law        R JOIN[r = s] S = filter[r IS NOT NULL](R), with r replacing s, if r is a foreign key to the key s of the
//            table S and nothing else of S is used
// Holds      under the assumption that the foreign key is satisfied: SQLite does not enforce it unless asked to. Its
//            columns must compare without conversion, under BINARY.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample foreign_key_join_removal_example{
    .before = "SELECT count(*) FROM c JOIN p ON c.pid = p.id",
    .after = "Project count (Aggregate count(*) AS count (Filter c.pid IS NOT NULL (Scan c (pid))))",
};
extern const Rule foreign_key_join_removal;

}  // namespace trustsql::plan::rules
