// Finds where a query ends in a longer text.
#pragma once

#include <cstddef>
#include <string_view>

namespace trustsql::nl2sql {

struct QueryCut {
  std::string_view text;  // the query, without trailing white space and semicolon
  bool parses = false;
  std::size_t end = 0;       // where the text after it begins
  bool ended_early = false;  // something other than a statement follows
};

// The first statement of `text`, which begins with a query and should contain only SQL: it ends at a semicolon or with
// the text.
QueryCut cut_statement(std::string_view text);

// The same if prose may follow: the query ends at a semicolon, before a line of prose or before prose on its last line,
// in each case only if the text up to there parses. Otherwise the query has a mistake. It ends at the next empty line,
// but if the text up to that line parses, the mistake is further on, and the query is the whole statement.
QueryCut cut_from_prose(std::string_view text);

// Whether `line` begins like prose rather than SQL: with a word that is neither a keyword of SQL nor in capitals, or
// with Markdown.
bool is_prose_line(std::string_view line);

}  // namespace trustsql::nl2sql
