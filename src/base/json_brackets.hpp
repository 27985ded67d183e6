// The brackets of JSON texts, found without parsing them: for texts that are not trusted or not complete.
#pragma once

#include <cstddef>
#include <string_view>

namespace trustsql {

// How deep the arrays and objects of `text` are nested; brackets in strings do not count.
int json_nesting(std::string_view text);

// The length of the array or object at the start of `text`, up to the bracket that closes it; 0 if none does.
// Precondition: `text` begins with a bracket.
std::size_t bracketed_json_length(std::string_view text);

}  // namespace trustsql
