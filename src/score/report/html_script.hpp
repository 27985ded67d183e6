// The script of the HTML report, which sorts its tables.
#pragma once

#include <string_view>

namespace trustsql {

// The script: a click on a column's heading sorts the rows of each group by it, the largest number or the first name
// first; a second click reverses them. Rows without a value come last.
std::string_view html_script();

// What a Content-Security-Policy allows that script and no other by: 'sha256-...', its hash.
std::string_view html_script_source();

}  // namespace trustsql
