// Unclear people: "the voice of Hughes", where there is a first name as well, and several are called so.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The last name by which alone the reading picks the rows of one table; nullopt if it does not. Several rows of it are
// several people then.
std::optional<std::string> last_name_alone(const QuestionView& view, const Candidate& candidate);

// The first or last name by which alone the reading picks people of a table that it joins with others, if several have
// it; empty if there is none. Errors: those that end the call (ends_the_call()).
Result<std::string> shared_name(const QuestionView& view, const Candidate& candidate, Sandbox& sandbox);

}  // namespace trustsql::semparse
