// Text from a database as it is shown in a prompt: cut to a limit, and without invisible characters.
//
// Values and names are untrusted. Control characters could imitate the layout of a prompt; bidirectional and zero-width
// characters could hide instructions from a person who reads the trace. All of them are written as escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/value.hpp"
#include "db/catalog/catalog.hpp"

namespace trustsql::nl2sql {

inline constexpr std::size_t default_cell_characters = 100;

// `text` as one line of valid UTF-8: control characters as \n, \t, \x1b, format characters (bidirectional marks,
// zero-width characters, tags) as \u{202e}, ill-formed bytes as U+FFFD; after `limit` characters, an ellipsis replaces
// the rest (0: no limit).
std::string visible_text(std::string_view text, std::size_t limit = 0);

// A value as a SQL literal: NULL, 12, 1.5, 'it''s', X'00ff'; texts and blobs are cut after `limit` characters or bytes.
std::string cell_literal(ValueView value, std::size_t limit = default_cell_characters);

// `text` for use inside a /* comment */: nothing in it can end the comment.
std::string in_comment(std::string_view text);

// A name of the schema as written in SQL: bare if it is a plain word and not a keyword, otherwise in double quotes.
std::string name_in_sql(std::string_view name);

// The name of `table` in a query: qualified by its schema if the bare name would refer to another table.
std::string table_in_sql(const Catalog& catalog, const Table& table);

}  // namespace trustsql::nl2sql
