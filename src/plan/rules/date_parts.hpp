// What date functions write of a date is a part of its text.
//
// Law        strftime('%Y', x) = substr(x, 1, 4); strftime('%m', x) = substr(x, 6, 2); date(x) = x, and the same for
//            other formats that write what stands together in x. Of a date with a time: date(x) = substr(x, 1, 10),
//            time(x) = substr(x, 12, 8), datetime(x) = x.
//            substr(x, 6) = substr(x, 6, 5), substr(x, -2) = substr(x, 9, 2), substr(x, 1, 10) = x, and the like
// Holds      under the assumption that the column x holds only texts of dates (of dates with a time) as SQLite writes
//            them: '2459381' and 'now' are written otherwise (lang_datefunc.html).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample date_parts_example{
    .before = "SELECT strftime('%Y-%m', city) FROM p",
    .after = "Project substr(p.city, 1, 7) AS expr (Scan p (city))",
};
extern const Rule date_parts;

}  // namespace trustsql::plan::rules
