// The tokens that Spider's evaluator sees: those of NLTK's word tokenizer applied to the whole text, after quoted texts
// have been replaced. They differ from SQL's: "a=1" is one token, "a<>1" is four.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::set_match {

// All tokens are in lower case except strings, which are put in double quotes whatever quotes they had. Errors
// (invalid_argument): an odd number of quotes, a NUL character. Not reproduced: NLTK's English contractions (it splits
// "cannot" into two words) and non-ASCII quotation marks.
Result<std::vector<std::string>> tokens(std::string_view sql);

}  // namespace trustsql::set_match
