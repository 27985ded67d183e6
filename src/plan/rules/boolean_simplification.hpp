// The laws of AND and OR.
//
// Law        p AND 1 = p; p AND 0 = 0; p OR 1 = 1; p OR 0 = p; p AND p = p; p OR p = p;
//            p AND (p OR q) = p; p OR (p AND q) = p; (p AND q) OR (p AND r) = p AND (q OR r);
//            if only truth matters: p AND NULL = 0; p OR NULL = p; p AND NOT p = 0
// Holds      in three-valued logic (a distributive lattice). AND and OR return 0, 1 or NULL: if only one term remains,
//            it must be such a value itself, or only its truth may matter. Terms that are removed or merged must not
//            be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample boolean_simplification_example{
    .before = "SELECT name FROM p WHERE (age = 1 AND city = 'a') OR (age = 1 AND city = 'b')",
    .after = "Project p.name (Filter p.age = 1 AND (p.city = 'a' OR p.city = 'b') (Scan p (name, age, city)))",
};
extern const Rule boolean_simplification;

}  // namespace trustsql::plan::rules
