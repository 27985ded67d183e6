// Other words for values: a question says "male" where the column holds 'm', "SpO2" where it holds 'o2 saturation'.
#pragma once

#include <string_view>
#include <vector>

#include "semparse/examples/query_template.hpp"

namespace trustsql::semparse {

struct LearnedPair {
  std::string_view question;
  std::string_view sql;
};

// The aliases that the examples show: words that nearly all questions with a value have, and nearly no others, for
// values that the questions do not name in the same words.
AliasTable find_aliases(const std::vector<LearnedPair>& examples);

}  // namespace trustsql::semparse
