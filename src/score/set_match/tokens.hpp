// The tokens that Spider's evaluator sees: those of NLTK's word tokenizer, applied to the whole text, once its quotes
// are out of the way. They are not SQL's: "a=1" is one token, "a<>1" four.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::set_match {

// All in lower case but strings, which are in double quotes whatever quotes they had. Errors (invalid_argument): an odd
// number of quotes. Not followed: NLTK's English contractions ("cannot" is two words to it) and quotation marks beyond
// ASCII.
Result<std::vector<std::string>> tokens(std::string_view sql);

}  // namespace trustsql::set_match
