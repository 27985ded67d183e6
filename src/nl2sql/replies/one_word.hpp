// Reading a reply that should be one of two words.
#pragma once

#include <optional>
#include <string_view>

#include "llm/chat.hpp"

namespace trustsql::nl2sql {

struct OneWord {
  std::optional<bool> yes;  // nullopt: neither word, or both
  // The probability of the positive word: from the log-probabilities of the token that distinguishes the two, if the
  // reply begins with one of them and the server returns alternatives; otherwise 1 or 0, and 0 if the reply cannot be
  // read.
  double probability = 0;
};

// `positive` and `negative` are lower-case words that begin with different letters, or the negative one is the positive
// one prefixed with "in", "un" or "not": correct and incorrect. "not" before the positive word makes it the negative
// one. Case, quotes and surrounding text are ignored.
OneWord read_one_word(const llm::Choice& choice, std::string_view positive, std::string_view negative);

}  // namespace trustsql::nl2sql
