// The tables that make_lexicon generates and lexicon.cpp reads. A table of n entries with offsets has n + 1 offsets.
#pragma once

#include <cstdint>

namespace trustsql::link {

// How a concept is related to another.
enum class Relation : std::uint32_t {
  broader,    // hypernym: singer -> musician
  derived,    // words with the same root: nationality -> national
  attribute,  // an adjective and the attribute that it describes: old -> age
  similar,    // adjectives with similar meanings
};

namespace lexicon_table {

extern const std::uint32_t word_count;
extern const std::uint32_t concept_count;
extern const std::uint32_t irregular_count;

extern const char texts[];                   // the words, sorted and concatenated; '_' joins the two of a pair
extern const std::uint32_t word_offsets[];   // in texts
extern const std::uint8_t frequencies[];     // for each word: 16 log2(1 + occurrences)
extern const std::uint32_t sense_offsets[];  // for each word, in senses
extern const std::uint32_t senses[];         // concept << 8 | 255 times its probability; the most likely first

extern const std::uint32_t relation_offsets[];  // for each concept, in relations
extern const std::uint32_t relations[];         // concept << 4 | Relation; a concept >= concept_count has no relations

extern const char irregular_texts[];  // inflected form, base form, inflected form ..., sorted by inflected form
extern const std::uint32_t irregular_offsets[];  // in irregular_texts

}  // namespace lexicon_table

}  // namespace trustsql::link
