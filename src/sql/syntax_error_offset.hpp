// Where a text stops being a query: for finding the query in a text that goes on with something else.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "sql/parser.hpp"

namespace trustsql {

// The byte at which parse_query() fails; nullopt if all of `sql` is one query. The parser goes from left to right, so
// what ends behind the token there is no query either.
std::optional<std::size_t> syntax_error_offset(std::string_view sql, const ParseOptions& options = {});

}  // namespace trustsql
