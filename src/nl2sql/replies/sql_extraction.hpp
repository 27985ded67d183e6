// The query in a language model's reply, whatever surrounds it.
//
//   ```sql ... ```              fenced blocks, whatever their label; the first that contains a query, or the last
//   SQL: SELECT ...             a query after a colon, at the start of a line, in `backticks`
//   {"sql": "SELECT ..."}       JSON
//   count(*) FROM t             the continuation of a prompt that ended in SELECT
//   SELECT a FROM t. It ...     prose after the query, on its line, on the next one or in the next paragraph
//   SELECT 1; SELECT 2          several statements: the first SELECT
//
// The rest of the text may be anything, so SQLite's grammar determines where the query ends: it is the longest part
// that is a single query and ends where a reader would end it. A query with a mistake is extracted too, since
// refinement needs SQLite's message. Whether a query may be run is decided elsewhere, by the sandbox.
#pragma once

#include <string>
#include <string_view>

namespace trustsql::nl2sql {

struct ExtractionOptions {
  bool continues_select = false;  // the prompt ended in the word SELECT
  bool last_block = false;        // the last of several fenced blocks counts: for replies that reason step by step
};

struct ExtractedSql {
  std::string sql;        // one statement, without its semicolon and leading comments; empty: none
  bool is_query = false;  // it parses
  std::string note;       // for the trace: what was left out or is wrong; empty if the reply was just the query
};

// At most max_reply_bytes of a reply are examined. The number of positions tried as the beginning or end of a query is
// bounded, so extraction takes less than a second for any reply.
inline constexpr std::size_t max_reply_bytes = std::size_t{256} << 10;
ExtractedSql extract_sql(std::string_view reply, const ExtractionOptions& options = {});

}  // namespace trustsql::nl2sql
