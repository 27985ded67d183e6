// Intent: what a question wants, judged by its words alone: data, or something that no query gives.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

enum class IntentKind : std::uint8_t {
  data,        // what a query can give
  task,        // a forecast, a drawing, a message, a change of the data ...
  knowledge,   // a reason, advice, an opinion, a definition, an instruction
  statement,   // it says something and asks nothing
  small_talk,  // a greeting, or talk about the speakers
};

struct Intent {
  IntentKind kind = IntentKind::data;
  std::string_view what{};  // what is wanted, for people: "a forecast"; empty for data
  WordSpan span{};          // the words that say so; empty for data

  bool wants_data() const { return kind == IntentKind::data; }
};

// The intent of `question`. `named`: for each of its words, whether it is part of a name or value of the database that
// the question writes out; such a word asks for data ("the suggestions of each user"), unless it is the command itself
// ("E-mail all customers"). An empty `named` means that nothing is.
Intent intent_of(const Question& question, const std::vector<bool>& named = {});

}  // namespace trustsql::semparse
