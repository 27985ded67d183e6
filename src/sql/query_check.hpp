// Why a query does not prepare, with the information needed to fix it.
//
// DART-SQL's refinement (section 3.3, Listing 3) answers an error about a column name with the tables that have a
// column of that name; this does the same, and it adds names with a similar spelling.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/resolver.hpp"

namespace trustsql {

struct QueryProblem {
  // "syntax", "missing_column", "ambiguous_column", "missing_table", "missing_function", "function_arguments",
  // "misuse", "columns", "order_by", "limit", "other": see Diagnosis::Kind.
  std::string_view kind = {};
  std::string message = {};  // SQLite's message; for a syntax error, what was expected and what was found instead
  int line = 0;              // the position, both from 1, columns in characters; 0 if the cause is in a view
  int column = 0;
  std::string name = {};  // the missing or ambiguous name; otherwise empty
  // For a missing or ambiguous column: the tables and views that have a column of that name, with their schema if it is
  // not main.
  std::vector<std::string> tables = {};
  // Those of them that are in scope at the column, under their names in the query.
  std::vector<std::string> in_scope = {};
  // Existing names with a spelling similar to the missing one, the most similar first, at most five: columns as they
  // can be written in its place ("T1.name") or with their table, tables, or functions.
  std::vector<std::string> nearest = {};
};

// The problem that keeps SQLite from preparing `sql`, one SELECT, on a database with this catalog; nullopt if there is
// none. `options` as for resolve(); `version` also selects the grammar.
std::optional<QueryProblem> check_query(std::string_view sql, const Catalog& catalog,
                                        const ResolveOptions& options = {});

// SQLite does not report a misspelt column in double quotes: SELECT "nmae" FROM t gives the text nmae for every row
// (https://sqlite.org/quirks.html#dblquote). This finds the first "x" in a query that SQLite treats as a string where a
// column is meant, which is anywhere except as a value. Values are operands compared with a column (name = "x", IN,
// BETWEEN, LIKE, CASE name WHEN "x"), and arguments of a function beside a column, if they do not look like a name
// ("%Y"). The result is reported as a missing column; nullopt if there is none, or if the query does not resolve.
std::optional<QueryProblem> find_text_for_column(std::string_view sql, const Catalog& catalog,
                                                 const ResolveOptions& options = {});

// The problem as a JSON object; empty fields are left out.
std::string to_json(const QueryProblem& problem);

}  // namespace trustsql
