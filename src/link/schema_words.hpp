// Conventions of schema names that dictionaries lack: abbreviations, and words that schemas use as synonyms.
//
// Also the words without content in a question. All these lists are fixed, and kept only here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trustsql::link {

// The expansion of an abbreviation in a name, words separated by blanks ("dob": "date of birth"); empty if `word` is
// not an abbreviation.
std::string_view expansion(std::string_view word);

// The groups of schema synonyms ("url", "website", "homepage") to which `lemma` belongs. A group's number is only an
// identifier.
std::span<const std::uint8_t> schema_groups(std::string_view lemma);

// Whether `word` is in these lists: an abbreviation, or a short word of names such as "id".
bool is_schema_word(std::string_view word);

// Articles, prepositions, pronouns, auxiliaries ... ("the", "of", "which", "does").
bool is_function_word(std::string_view word);

// Words that express the request rather than the topic of a question ("list", "show", "please", "find", "total").
bool is_request_word(std::string_view word);

}  // namespace trustsql::link
