// Reading a reply that should be one of two words.
#pragma once

#include <optional>
#include <string_view>

#include "llm/chat.hpp"

namespace trustsql::nl2sql {

struct OneWord {
  std::optional<bool> yes;  // nullopt: neither word, or both
  // That it is the positive word: from the log-probabilities of the token that tells the two apart, where the reply
  // begins with one of them and the server gives alternatives; else 1 or 0, and 0 where the reply cannot be read.
  double probability = 0;
};

// `positive` and `negative` are lower-case words that begin with different letters, or of which the negative one is the
// positive one behind "in", "un" or "not": correct and incorrect. "not" before the positive word makes it the negative
// one. Case, quotes and what stands around do not matter.
OneWord read_one_word(const llm::Choice& choice, std::string_view positive, std::string_view negative);

}  // namespace trustsql::nl2sql
