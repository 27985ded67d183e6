// What people who name tables and columns share, and dictionaries lack: abbreviations, and words that schemas use for
// one thing.
//
// Also the words that carry no meaning of their own in a question. All lists are closed and in this one place.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trustsql::link {

// What an abbreviation in a name stands for, words separated by blanks ("dob": "date of birth"); empty if it is none.
std::string_view expansion(std::string_view word);

// The groups of things that schemas call by several names ("url", "website", "homepage") to which `lemma` belongs. A
// group's number means nothing but itself.
std::span<const std::uint8_t> schema_groups(std::string_view lemma);

// Whether `word` is one of these lists' own: an abbreviation, or a short word of names such as "id".
bool is_schema_word(std::string_view word);

// Articles, prepositions, pronouns, auxiliaries ... ("the", "of", "which", "does").
bool is_function_word(std::string_view word);

// Words by which a question asks rather than says what it is about ("list", "show", "please", "find", "total").
bool is_request_word(std::string_view word);

}  // namespace trustsql::link
