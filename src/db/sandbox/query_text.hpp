// Checks of a query's text alone, before SQLite sees it.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

// `sql` without the white space, comments and semicolons at its start (https://sqlite.org/lang_comment.html).
std::string_view skip_blanks(std::string_view sql);

// The length of the statement at the start of `sql` with the first semicolon; the statement must not contain one
// itself, as a CREATE TRIGGER does.
std::size_t simple_statement_length(std::string_view sql);

// Whether `sql` can be a single SELECT: valid UTF-8 without NUL characters, whose first word is SELECT, VALUES or WITH.
// Error: not_allowed, with the reason.
Status check_query_text(std::string_view sql);

}  // namespace trustsql
