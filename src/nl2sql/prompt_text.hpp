// How what comes from a database stands in a prompt: cut, and with nothing in it that a reader would not see.
//
// Values and names are written by anybody. Control characters could imitate the layout of a prompt; characters that
// direct text or take no space hide instructions from the person who reads the trace. All of them are written as
// escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/value.hpp"
#include "db/catalog.hpp"

namespace trustsql::nl2sql {

inline constexpr std::size_t default_cell_characters = 100;

// `text` as one line of valid UTF-8: control characters as \n, \t, \x1b, characters of format (bidirectional marks, of
// no width, tags) as \u{202e}, ill-formed bytes as U+FFFD; after `limit` characters an ellipsis stands for the rest (0:
// no limit).
std::string visible_text(std::string_view text, std::size_t limit = 0);

// A value as a SQL literal: NULL, 12, 1.5, 'it''s', X'00ff'; texts and blobs cut after `limit` characters or bytes.
std::string cell_literal(ValueView value, std::size_t limit = default_cell_characters);

// `text` for the inside of a /* comment */, which nothing in it can end.
std::string in_comment(std::string_view text);

// A name of the schema as SQL can write it: bare where it is a plain word and no keyword, else in double quotes.
std::string name_in_sql(std::string_view name);

// How a query names `table`: with its schema where the bare name means another table.
std::string table_in_sql(const Catalog& catalog, const Table& table);

}  // namespace trustsql::nl2sql
