// JSON that a server sent: anything may be in it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql::llm {

// `text` as it can be handed to a parser of JSON, and what comes of it to code that recurses: bytes that are no UTF-8
// are dropped, for a reply that was cut inside a character is still a reply. Valid as long as `text` and `scratch` are.
// Errors (io): empty, nested deeper than 100 levels.
Result<std::string_view> parsable_json(std::string_view text, std::string& scratch);

// That `text`, from which secrets are gone, is no JSON (io).
Error not_json(std::string_view text);

}  // namespace trustsql::llm
