// How a word of a question matches a word of a name.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// From weak to strong.
enum class WordMatch : std::uint8_t {
  none,
  related,       // a broader or similar meaning: "city", "location"
  dimension,     // an adjective and what it measures: "old", "age"
  synonym,       // the same meaning: "car", "automobile"; "nationality", "national"
  abbreviation,  // one is the start of the other: "dep", "department"
  form,          // other forms of one word: "singers", "singer"; a verb and its noun: "delivered", "delivery"
};
// 0..1.
float strength(WordMatch match);

// Matches words by their forms and, through the lexicon, by their meanings. It remembers the meanings of words that it
// has seen. Not thread-safe: an object is used by one thread at a time.
class WordMatcher {
 public:
  // The strongest way in which `word` matches `name_word`, a base form.
  WordMatch match(const Word& word, const std::string& name_word);
  // Whether the name is a broader term for the word: a surgeon is a doctor.
  bool is_narrower(const Word& word, const std::string& name_word);

 private:
  struct Meaning {
    std::uint32_t id;
    bool direct;     // one of the word's own
    bool dimension;  // what the word, an adjective, measures
    bool broader;
  };
  using Meanings = std::vector<Meaning>;  // sorted by id
  const Meanings& meanings(const std::string& lemma);
  WordMatch match_meanings(const std::string& a, const std::string& b);

  std::unordered_map<std::string, Meanings> known_;
};

// Whether a word of a name is a form or a doer of the verb, by its base form: "handled", "handler" of "handle".
bool is_form_of_verb(std::string_view word, std::string_view verb);

}  // namespace trustsql::semparse
