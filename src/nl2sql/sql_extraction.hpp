// The query in a language model's reply, whatever stands around it.
//
//   ```sql ... ```              fenced blocks, whatever their label; the first that holds a query, or the last
//   SQL: SELECT ...             a query behind a colon, at the start of a line, in `backticks`
//   {"sql": "SELECT ..."}       JSON
//   count(*) FROM t             what continues a prompt that ended in SELECT
//   SELECT a FROM t. It ...     prose behind it, on its line, on the next one or in the next paragraph
//   SELECT 1; SELECT 2          several statements: the first SELECT
//
// The text between may be anything, so where the query ends is found by SQLite's grammar: the longest part that is one
// query and ends where a reader would end it. A query with a mistake in it is extracted too, for SQLite's message is
// what refinement needs. Nothing here decides whether a query may be run: that is the sandbox's matter.
#pragma once

#include <string>
#include <string_view>

namespace trustsql::nl2sql {

struct ExtractionOptions {
  bool continues_select = false;  // the prompt ended in the word SELECT
  bool last_block =
      false;  // of several fenced blocks the last with a query counts: for replies that reason step by step
};

struct ExtractedSql {
  std::string sql;        // one statement without its semicolon, comments before it left out; empty: none
  bool is_query = false;  // it parses
  std::string note;  // what a trace should say: what was left out, what is wrong; empty where the reply was the query
};

// At most max_reply_bytes of a reply are looked at. The places where a query may begin and end that are tried are
// bounded, so whatever the reply is it takes less than a second.
inline constexpr std::size_t max_reply_bytes = std::size_t{256} << 10;
ExtractedSql extract_sql(std::string_view reply, const ExtractionOptions& options = {});

}  // namespace trustsql::nl2sql
