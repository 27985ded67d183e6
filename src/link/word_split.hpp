// Splits a text (a question, an identifier, a row) into words in lower case.
//
//   "How many singers?"          how many singers
//   "buildUpPlaySpeed"           build up play speed       (camel case)
//   "FRPM Count (K-12)"          frpm count k 12           (other characters separate words, and so do changes between
//                                                          letters and digits)
//   "raceid", "driverstandings"  race id, driver standings (letters that are not a word, but consist of words)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::link {

// The words of `text` in order, ASCII letters in lower case; non-ASCII bytes count as letters and are unchanged.
std::vector<std::string> split_words(std::string_view text);

// The words of which `letters`, a sequence of lower-case letters, consists: itself if it is a word, or if no sequence
// of words is likely enough. More than 64 letters are not split, and nothing is split without a lexicon.
std::vector<std::string> split_compound(std::string_view letters);

}  // namespace trustsql::link
