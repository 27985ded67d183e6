// LIKE or GLOB with a pattern that only gives the first characters compares these.
//
// Law        x LIKE 'P%' = x GLOB 'P*' = (substr(x, 1, n) = 'P'), and x NOT LIKE 'P%' = (substr(x, 1, n) <> 'P'),
//            where n is the number of characters of P
// Holds      if x is always a text or NULL: LIKE and GLOB take a blob for a text, SUBSTR does not. For P of ASCII
//            characters without wildcards, and with LIKE without letters, whose case it ignores. Not with ESCAPE. The
//            bounds x >= 'P' AND x < 'Q' say the same only in databases in UTF-8: in those in UTF-16le, '202' ||
//            char(307) is between '2023' and '2024'.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample like_prefix_example{
    .before = "SELECT id FROM p WHERE name LIKE '2023-%'",
    .after = "Project p.id (Filter substr(p.name, 1, 5) = '2023-' (Scan p (id, name)))",
};
extern const Rule like_prefix;

}  // namespace trustsql::plan::rules
