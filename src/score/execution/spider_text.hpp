// How the public test-suite evaluator changes the texts of two queries before it runs them (Zhong et al. 2020).
//
// The steps in its order, quirks included:
//   1. In the prediction only: the letters "value" become "1" wherever they occur, also in names, strings and "values".
//   2. "> =", "< =" and "! =" lose their space, also in strings.
//   3. Unless DISTINCT is kept: every token `distinct`, in any case, is dropped, also in aggregates. Everything else is
//      kept byte for byte; of several statements only the first remains.
//   4. The order of rows matters if the gold text, in lower case, now contains "order by" with one space, anywhere.
//   5. YEAR(CURDATE()), in any case and spacing, becomes 2020, and the white space after it is dropped:
//      "YEAR(CURDATE()) AND" becomes "2020AND", which SQLite rejects.
//
// Step 3 uses SQLite's tokens where the evaluator uses those of Python's sqlparse 0.4. Quoted names, strings and
// comments are single tokens to both, so a `distinct` in them is kept. Where the two lexers differ:
//   - In '...' and "..." sqlparse treats \' and \" as an escaped quote if another quote follows anywhere. A string such
//     as '\' or 'c:\' then ends later, and the text after it may turn into strings and back. This is reproduced here.
//   - For sqlparse, a comment "--" also ends at a carriage return. This is reproduced here.
//   - Other differences occur in no query of a benchmark, and SQLite's reading is used: comments that begin with "# ",
//     ´x´ as a quoted name, $tag$...$tag$ as a string, operators that swallow the beginning of a comment
//     ("+--", "+/*"), [..] directly after a word or a bracket, letters beyond U+00FC at the beginning of a name,
//     numbers joined to a word ("1e5distinct").
#pragma once

#include <string>
#include <string_view>

namespace trustsql {

enum class SpiderDistinct {
  drop,  // the public script's default
  keep,
};

struct SpiderGold {
  std::string sql;             // the query to run
  bool order_matters = false;  // step 4
};

SpiderGold spider_gold(std::string_view gold, SpiderDistinct distinct);
std::string spider_prediction(std::string_view prediction, SpiderDistinct distinct);

}  // namespace trustsql
