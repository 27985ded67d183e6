// What can be told of a query from its tokens alone, without parsing it.
//
// All of these look at the first statement of the text only. Of a text that is no query they say something harmless:
// SQLite rejects it when it is run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sql/token.hpp"

namespace trustsql {

// The text up to the first semicolon outside of quotes and comments, that semicolon excluded.
std::string_view first_statement(std::string_view sql);

// Whether the rows of the query come in an order that it asks for: its outermost level has ORDER BY. One in a subquery,
// a common table expression, a window or an aggregate's arguments does not count; one behind a compound does.
bool has_outermost_order_by(std::string_view sql);

// The tokens [begin, end) between SELECT [DISTINCT | ALL] and what follows the select list of the outermost level;
// of a compound, of its first part.
struct SelectList {
  std::size_t begin = 0;  // index of the first token of the list
  std::size_t end = 0;    // index after its last one
  bool distinct = false;
};
// In `tokens`, as significant_tokens() returns them. None if there is no SELECT at the outermost level.
std::optional<SelectList> outermost_select_list(std::span<const Token> tokens);

// Whether running the query twice on the same database must give the same rows as far as its text tells: it calls
// neither random() nor randomblob(). (What a view calls is not seen; the clock is taken to stand still.)
bool is_repeatable(std::string_view sql);

// Whether a value must be bound to the query before it means anything (?1, :a, @a, $a).
bool has_parameters(std::string_view sql);

}  // namespace trustsql
