// Operations on texts, for the evaluation of expressions (evaluator.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/value.hpp"

namespace trustsql::equiv::checker {

// Whether a text of ASCII characters is LIKE a pattern without an escape character, if letter case matters.
bool is_like(std::string_view text, std::string_view pattern);

// Whether the value is a text of at most 40 ASCII characters.
bool is_short_ascii(const ValueView& value);

// Whether LIKE compares the text with this pattern byte by byte: it has no letters, whose case may not matter, and `_`,
// which stands for a character, does not occur.
bool is_pattern_of_bytes(const ValueView& pattern);

// Whether a text matches a pattern of GLOB in which no other character than `*` has a meaning of its own.
bool is_glob(std::string_view text, std::string_view pattern);
bool has_stars_only(const ValueView& pattern);

// The number of characters of a text: of bytes that do not continue one.
std::int64_t characters_in(std::string_view text);

// The text from the character `first`, counted from 1, of `length` characters.
std::string_view part_of_text(std::string_view text, std::int64_t first, std::int64_t length);

}  // namespace trustsql::equiv::checker
