// Where a query ends in a text that goes on.
#pragma once

#include <cstddef>
#include <string_view>

namespace trustsql::nl2sql {

struct QueryCut {
  std::string_view text;  // the query, without white space and semicolon at its end
  bool parses = false;
  std::size_t end = 0;       // where what follows it begins
  bool ended_early = false;  // something that is no statement follows
};

// The first statement of `text`, which begins with a query, where nothing but SQL is expected: it ends at a semicolon
// or with the text.
QueryCut cut_statement(std::string_view text);

// The same where prose may follow: it ends at a semicolon, before a line of prose or before the prose on its last line,
// in each case only if what stands before parses; else, with a mistake in it, at the next empty line.
QueryCut cut_from_prose(std::string_view text);

// Whether `line` begins as prose does and SQL does not: a word that is no keyword of SQL and not in capitals, or
// Markdown.
bool is_prose_line(std::string_view line);

}  // namespace trustsql::nl2sql
