// Parts of JSON documents are read in one way.
//
// Law        x ->> '$.a' = json_extract(x, '$.a'); x ->> 'a' = x ->> '$.a'; x ->> 2 = x ->> '$[2]', and so for ->;
//            x -> '$.a' ->> '$.b' = x ->> '$.a.b', and so for -> and json_extract
// Holds      for paths and names of letters, digits and underscores, and numbers of elements from the start
//            (https://sqlite.org/json1.html, 4.10). What json_extract returns may be marked as JSON, the value of ->>
//            is not: json_extract and ->> only in queries without a function that reads the mark (json_subtypes.hpp).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample json_spelling_example{
    .before = "SELECT city -> 'a' ->> 'b' FROM p",
    .after = "Project json_extract(p.city, '$.a.b') AS expr (Scan p (city))",
};
extern const Rule json_spelling;

}  // namespace trustsql::plan::rules
