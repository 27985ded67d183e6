// What the public test-suite evaluator does to the texts of two queries before it runs them (Zhong et al. 2020).
//
// In its order, quirks included:
//   1. Of the prediction only: the letters "value" become "1" wherever they stand, also in names, strings, "values".
//   2. "> =", "< =", "! =" lose their blank, also in strings.
//   3. Unless DISTINCT is kept: every token that is `distinct` in any case is dropped, in aggregates as well, and all
//   else
//      stays byte for byte; of several statements the first one remains.
//   4. The order of rows matters if the gold text, lower-cased, now contains "order by" with one blank, anywhere.
//   5. YEAR(CURDATE()), in any case and spacing, becomes 2020, and white space that follows it goes with it:
//   "YEAR(CURDATE())
//      AND" becomes "2020AND", which SQLite rejects.
//
// Step 3 is made of SQLite's tokens where the evaluator uses those of Python's sqlparse 0.4. Quoted names and strings
// and comments are single tokens to both, so a `distinct` in them stays. Where the two lexers differ:
//   - In '...' and "..." sqlparse takes \' and \" for an escaped quote if another quote follows anywhere, so that a
//   string
//     such as '\' or 'c:\' ends later for it and the text after it may turn into strings and back. This is followed
//     here.
//   - A comment "--" ends for sqlparse at a carriage return as well. Followed here.
//   - These differ in texts that no query of a benchmark has, and SQLite's view is taken: comments from "# ", ´x´ as a
//   quoted name,
//     $tag$...$tag$ as a string, operators that swallow the beginning of a comment ("+--", "+/*"), [..] directly behind
//     a word or a bracket, letters beyond U+00FC at the beginning of a name, numbers glued to a word ("1e5distinct").
#pragma once

#include <string>
#include <string_view>

namespace trustsql {

enum class SpiderDistinct {
  drop,  // the public script's default
  keep,
};

struct SpiderGold {
  std::string sql;             // to be run
  bool order_matters = false;  // step 4
};

SpiderGold spider_gold(std::string_view gold, SpiderDistinct distinct);
std::string spider_prediction(std::string_view prediction, SpiderDistinct distinct);

}  // namespace trustsql
