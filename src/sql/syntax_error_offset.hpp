// Where a text stops being a query: used to find a query at the start of a text that continues with something else.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "sql/parser.hpp"

namespace trustsql {

// The byte at which parse_query() fails; nullopt if all of `sql` is one query. The parser reads from left to right, so
// no text that ends after the token there is a query.
std::optional<std::size_t> syntax_error_offset(std::string_view sql, const ParseOptions& options = {});

}  // namespace trustsql
