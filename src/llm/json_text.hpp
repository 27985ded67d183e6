// JSON from a server: untrusted input.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql::llm {

// `text` in a form that is safe for a JSON parser, and whose parsed value is safe for recursive code: bytes that are no
// valid UTF-8 become U+FFFD, since a reply that was cut off inside a character is still a reply, and a name that lost a
// letter would be another name. Valid as long as `text` and `scratch` are. Errors (io): empty, nested more than 100
// levels deep.
Result<std::string_view> parsable_json(std::string_view text, std::string& scratch);

// The error (io) that `text`, from which secrets have been removed, is not JSON.
Error not_json(std::string_view text);

}  // namespace trustsql::llm
