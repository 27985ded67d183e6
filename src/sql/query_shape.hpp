// Properties of a query that follow from its tokens alone, without parsing it.
//
// All of these functions read only the first statement of the text. If the text is not a query, their results are
// harmless: SQLite rejects the text when it is run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/sql_token.hpp"

namespace trustsql {

// Whether the query specifies the order of its rows, that is, has ORDER BY at its outermost level. An ORDER BY in a
// subquery, a common table expression, a window or an aggregate's arguments does not count; one after a compound query
// does.
bool has_outermost_order_by(std::string_view sql);

// The tokens [begin, end) between SELECT [DISTINCT | ALL] and what follows the select list of the outermost level; for
// a compound query, those of its first part.
struct SelectList {
  std::size_t begin = 0;  // index of the first token of the list
  std::size_t end = 0;    // index after its last token
  bool distinct = false;
};
// `tokens` are those that significant_tokens() returns. nullopt if there is no SELECT at the outermost level.
std::optional<SelectList> outermost_select_list(std::span<const Token> tokens);

// Whether, judging by its text, the query gives the same rows whenever it runs on the same database: it calls neither
// random() nor randomblob(). (Calls inside views are not seen, and the passing of time is ignored.)
bool is_repeatable(std::string_view sql);

// Whether the query has parameters to which values must be bound (?1, :a, @a, $a).
bool has_parameters(std::string_view sql);

}  // namespace trustsql
