// From a text (a question, an identifier, a row) to its words in lower case.
//
//   "How many singers?"          how many singers
//   "buildUpPlaySpeed"           build up play speed       (humps of camel case)
//   "FRPM Count (K-12)"          frpm count k 12           (whatever is neither letter nor digit separates; letters
//   from digits) "raceid", "driverstandings"  race id, driver standings (a run of letters that is no word, where words
//   make it up)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::link {

// The words of `text` in their order, ASCII letters in lower case, bytes beyond ASCII as they are (they count as
// letters).
std::vector<std::string> split_words(std::string_view text);

// The words that `letters`, a run of lower-case letters, is made up of: itself where it is a word, or where no sequence
// of words is likely enough. Runs longer than 64 letters stay whole, and all where there is no lexicon.
std::vector<std::string> split_compound(std::string_view letters);

}  // namespace trustsql::link
