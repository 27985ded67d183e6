// Lexicon: the meanings of words, from WordNet, compiled in by the build.
//
// A word has concepts (WordNet's synsets), each with a probability; concepts are related to broader, derived and
// similar ones. If the build found no WordNet the lexicon is empty, and all look-ups fail.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "link/lexicon/lexicon_table.hpp"

namespace trustsql::link::lexicon {

using WordId = std::uint32_t;
using ConceptId = std::uint32_t;

struct Sense {
  ConceptId meaning;
  float probability;
};
struct Related {
  ConceptId meaning;
  Relation relation;
};

// Whether WordNet was compiled in, and how many words and concepts there are.
bool is_empty();
std::size_t word_count();
std::size_t concept_count();

// The word with this spelling: a base form in lower-case letters, or two joined by '_'.
std::optional<WordId> find(std::string_view word);

std::size_t sense_count(WordId word);
Sense sense(WordId word, std::size_t index);  // by decreasing probability

std::size_t related_count(ConceptId meaning);
Related related(ConceptId meaning, std::size_t index);

// The binary logarithm of 1 plus how often the word occurs in WordNet's tagged texts and definitions: 0..16.
float log_frequency(WordId word);

// The base form of an irregular form ("children": "child"); nullopt if `word` is not one.
std::optional<std::string_view> irregular_base(std::string_view word);

}  // namespace trustsql::link::lexicon
